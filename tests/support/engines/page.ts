import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chord, mouse, typing, wheel } from './keys.ts';
import { EngineLocator, type File, type LocatorHost, byLabel, byRole, byText, textFilter } from './locator.ts';
import { ProtocolError, type Tab } from './tab.ts';

const patience = 15_000;
const missing = 'missing';

/**
 * The methods of Playwright's `Page` that the tests of `tests/engines` use, over WebDriver. Names and behavior are the
 * same as in Playwright, so one test and its helpers run in every engine.
 */
export class EnginePage implements LocatorHost {
  readonly #tab: Tab;
  readonly #locators: string;
  readonly #baseURL: string;
  #mouseAt = { x: 0, y: 0 };

  constructor(tab: Tab, locators: string, baseURL: string) {
    this.#tab = tab;
    this.#locators = locators;
    this.#baseURL = baseURL;
  }

  async goto(path: string): Promise<void> {
    await this.#drain();
    await this.#tab.goto(new URL(path, this.#baseURL || undefined).href);
    await this.#drain();
  }

  async reload(): Promise<void> {
    await this.#drain();
    await this.#tab.reload();
  }

  async goBack(): Promise<void> {
    await this.#drain();
    await this.#tab.back();
  }

  /**
   * Fetches the problems that the page has collected, because the browser discards them when it leaves the page. Calls
   * an empty function, because `inPage` fetches the problems after every call.
   */
  async #drain(): Promise<void> {
    await this.inPage('() => undefined', [], true).catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) throw error;
    });
  }

  async finish(): Promise<void> {
    await this.#drain();
  }

  async inPage(source: string, args: readonly unknown[], withLocators = false): Promise<unknown> {
    const call = `async (text) => {
      if (${withLocators} && !globalThis.locators) return '${missing}';
      const value = await (${source})(...JSON.parse(text));
      return JSON.stringify([value, globalThis.locators?.takeProblems() ?? []]);
    }`;
    const answer = await this.#tab.call(call, JSON.stringify(args));
    if (answer === missing) {
      await this.#tab.call(`() => { ${this.#locators}\n; return '' }`, '');
      return this.inPage(source, args, withLocators);
    }
    const [value, problems] = JSON.parse(answer) as [unknown, string[]];
    this.#tab.problems.push(...problems);
    return value ?? undefined;
  }

  /**
   * Repeats a query until its result is not undefined. Also repeats a query that failed because the page was being
   * replaced.
   */
  async until<Answer>(
    what: string,
    ask: () => Promise<Answer | undefined>,
    timeout = patience,
    reason: () => string = () => '',
  ): Promise<Answer> {
    const deadline = Date.now() + timeout;
    for (;;) {
      let last = reason();
      try {
        const answer = await ask();
        if (answer !== undefined) return answer;
        last = reason();
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        last = error.message;
      }
      if (Date.now() > deadline) throw new Error(`${what}: still not so after ${timeout} ms. ${last}`);
      await sleep(25);
    }
  }

  evaluate<Answer, Argument>(ask: (argument: Argument) => Answer, argument?: Argument): Promise<Awaited<Answer>> {
    return this.inPage(ask.toString(), [argument]) as Promise<Awaited<Answer>>;
  }

  async waitForFunction<Argument>(
    ask: (argument: Argument) => unknown,
    argument?: Argument,
    options: { timeout?: number } = {},
  ): Promise<void> {
    const once = async () => ((await this.inPage(ask.toString(), [argument])) ? true : undefined);
    await this.until(ask.toString(), once, options.timeout);
  }

  async waitForURL(wanted: string | RegExp | ((url: URL) => boolean)): Promise<void> {
    let href = '';
    await this.until(
      `The address ${String(wanted)}`,
      async () => {
        href = await this.evaluate(() => location.href);
        return matches(href, wanted) ? true : undefined;
      },
      patience,
      () => href,
    );
    // Playwright also waits for the `load` event.
    await this.waitForFunction(() => document.readyState === 'complete');
  }

  readonly keyboard = {
    press: (keys: string) => this.#tab.perform([chord(keys)]),
    type: (text: string) => this.#tab.perform([typing(text)]),
  };

  readonly mouse = {
    move: async (x: number, y: number) => {
      this.#mouseAt = { x, y };
      await this.#tab.perform([mouse({ x, y })]);
    },
    click: (x: number, y: number) => this.#tab.perform([mouse({ x, y }, 1)]),
    wheel: (deltaX: number, deltaY: number) => this.#tab.perform([wheel(this.#mouseAt, deltaX, deltaY)]),
  };

  async press(at: { x: number; y: number }, times: number): Promise<void> {
    this.#mouseAt = at;
    await this.#tab.perform([mouse(at, times)]);
  }

  async setFiles(selector: string, files: File | readonly File[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'chosen-files-'));
    const paths = await Promise.all(
      [files].flat().map(async ({ name, buffer }) => {
        await writeFile(join(folder, name), buffer);
        return join(folder, name);
      }),
    );
    await this.#tab.setFiles('(selector) => globalThis.locators.one(selector)', selector, paths);
  }

  locator(selector: string, options: { hasText?: string | RegExp } = {}): EngineLocator {
    return new EngineLocator(this, selector + textFilter(options.hasText));
  }
  getByRole(...given: Parameters<typeof byRole>): EngineLocator {
    return this.locator(byRole(...given));
  }
  getByText(...given: Parameters<typeof byText>): EngineLocator {
    return this.locator(byText(...given));
  }
  getByLabel(...given: Parameters<typeof byLabel>): EngineLocator {
    return this.locator(byLabel(...given));
  }

  context() {
    const tab = this.#tab;
    return {
      cookies: () => tab.cookies(),
      clearCookies: () => tab.clearCookies(),
    };
  }

  screenshot(): Promise<Buffer> {
    return this.#tab.screenshot();
  }
}

function matches(href: string, wanted: string | RegExp | ((url: URL) => boolean)): boolean {
  if (typeof wanted === 'function') return wanted(new URL(href));
  if (typeof wanted !== 'string') return wanted.test(href);
  const pattern = wanted
    .replaceAll(/[.+^${}()|[\]\\?]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${pattern}$`).test(href);
}
