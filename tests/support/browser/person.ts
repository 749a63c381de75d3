import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Page as PlaywrightPage } from 'playwright';
import { getByLabelSelector, getByRoleSelector, getByTextSelector } from 'ivya';
import { afterEach, beforeAll, inject } from 'vitest';
import { type Driver, type EngineName, type OpenTab, type Visit, startEngine } from './engines.ts';
import { type Expected, unexpectedOf } from './problems.ts';

type Text = string | RegExp;
type Role = Parameters<PlaywrightPage['getByRole']>[0];
type File = { name: string; mimeType?: string; buffer: Uint8Array };
type Point = { x: number; y: number };
type State = 'visible' | 'hidden' | 'attached' | 'detached';

/** Finds elements in a page or in an element, with the selectors and method names of Playwright. */
abstract class Scope {
  abstract within(selector: string): Locator;
  locator = (selector: string, has: { hasText?: Text } = {}) => this.within(selector).filter(has);
  getByRole = (...given: Parameters<typeof getByRoleSelector>) => this.within(getByRoleSelector(...given));
  getByText = (...given: Parameters<typeof getByTextSelector>) => this.within(getByTextSelector(...given));
  getByLabel = (...given: Parameters<typeof getByLabelSelector>) => this.within(getByLabelSelector(...given));
}

/** What journeys share with the tests that use Playwright: both kinds of pages fit these types. */
export interface Finder<Found> {
  getByRole(role: Role, options?: { name?: Text; exact?: boolean; level?: number }): Found;
  getByLabel(text: Text, options?: { exact?: boolean }): Found;
  locator(selector: string): Found;
}
export interface Found<Self> extends Finder<Self> {
  filter(by: { hasText?: Text; has?: Self }): Self;
  first(): Self;
  waitFor(): Promise<void>;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  setInputFiles(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
  textContent(): Promise<string | null>;
}

/** Elements that match a selector. Every action waits until there is exactly one, and until it can be used. */
class Locator extends Scope {
  readonly page: Page;
  readonly selector: string;
  constructor(page: Page, selector: string) {
    super();
    this.page = page;
    this.selector = selector;
  }
  within = (selector: string) => new Locator(this.page, `${this.selector} >> ${selector}`);
  nth = (index: number) => this.within(`nth=${index}`);
  first = () => this.nth(0);
  last = () => this.nth(-1);
  filter({ hasText, has }: { hasText?: Text; has?: Locator }): Locator {
    const text = typeof hasText === 'string' ? `${JSON.stringify(hasText)}i` : String(hasText);
    const filtered = hasText === undefined ? this : this.within(`internal:has-text=${text}`);
    return has ? filtered.within(`internal:has=${JSON.stringify(has.selector)}`) : filtered;
  }

  #until<Answer>(what: string, source: string, argument?: unknown): Promise<Answer> {
    const ask = () => this.page.run<Answer | { wait: string }>(source, [this.selector, argument]);
    return this.page.until(`${this.selector}: ${what}`, ask);
  }
  /** Waits for the element, and calls a function with it in the page. */
  async evaluate<Answer, Argument, Target extends Element = HTMLElement>(
    ask: (element: Target, argument: Argument) => Answer,
    argument?: Argument,
  ): Promise<Awaited<Answer>> {
    const source = `(selector, argument) => finder.with(selector, ${ask.toString()}, argument)`;
    return (await this.#until<[Awaited<Answer>]>('attached', source, argument))[0];
  }
  evaluateAll<Answer>(ask: (elements: HTMLElement[]) => Answer): Promise<Awaited<Answer>> {
    const source = `(selector) => (${ask.toString()})(finder.all(selector))`;
    return this.page.until(this.selector, () => this.page.run(source, [this.selector]));
  }
  count = () => this.evaluateAll((elements) => elements.length);
  allTextContents = () => this.evaluateAll((elements: Element[]) => elements.map(({ textContent }) => textContent));
  textContent = () => this.evaluate((element: Element) => element.textContent);
  innerText = () => this.evaluate((element: HTMLElement) => element.innerText);
  inputValue = () => this.evaluate((element: HTMLInputElement) => element.value);
  isChecked = () => this.evaluate((element: HTMLInputElement) => element.checked);
  getAttribute = (name: string) =>
    this.evaluate((element: Element, wanted: string) => element.getAttribute(wanted), name);
  isVisible = () => {
    const source = '(selector) => finder.isVisible(finder.one(selector))';
    return this.page.until(this.selector, () => this.page.run<boolean>(source, [this.selector]));
  };
  boundingBox = () => this.evaluate((element: Element) => element.getBoundingClientRect().toJSON() as DOMRect);

  async waitFor({ state = 'visible' }: { state?: State } = {}): Promise<void> {
    await this.#until(state, '(selector, state) => finder.is(selector, state) || { wait: "not yet" }', state);
  }
  /** Moves the mouse to the element. Tries again if the point has left the window. */
  hover(): Promise<Point> {
    return this.page.until(`${this.selector}: ready`, async () => {
      const at = await this.page.run<Point | { wait: string }>('(selector) => finder.pointOf(selector)', [
        this.selector,
      ]);
      if ('x' in at) await this.page.driver.moveMouse(at.x, at.y);
      return at;
    });
  }
  /** Clicks the element. Tries again if the page moved and the click would have reached another element. */
  async click(): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { x, y } = await this.hover();
      await this.page.driver.click(x, y);
      if (!(await this.page.until('the click', () => this.page.run<boolean>('() => finder.hasMissed()')))) return;
    }
    throw new Error(`${this.selector}: ten clicks in a row would have reached another element.`);
  }
  focus = () => this.evaluate((element: HTMLElement) => element.focus());
  async press(keys: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press(keys);
  }
  /**
   * Clicks the field, and replaces its text in one step, as Playwright does, because each key takes 50 ms. A field inside
   * of an editor's text gets keys, because browsers would insert the text into the editor.
   */
  async fill(text: string): Promise<void> {
    await this.click();
    const replace = (field: HTMLInputElement, words: string) => {
      if (field.closest('[contenteditable]')) return field.value === '' ? 'empty' : 'filled';
      field.select();
      document.execCommand(words ? 'insertText' : 'delete', false, words);
      return field.value === words ? 'replaced' : 'filled';
    };
    const state = await this.evaluate(replace, text);
    if (state === 'replaced') return;
    if (state === 'filled') {
      await this.page.keyboard.press('Control+a');
      await this.page.keyboard.press('Delete');
    }
    await this.page.keyboard.type(text);
  }
  async check(): Promise<void> {
    if (!(await this.isChecked())) await this.click();
  }
  /** Chooses the option with this value or text. Browsers show the list of options outside of the page. */
  async selectOption(wanted: string): Promise<void> {
    const choose = (field: HTMLSelectElement, text: string) => {
      const option = [...field.options].find(({ value, label }) => value === text || label === text);
      if (option) option.selected = true;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      return option !== undefined;
    };
    await this.focus();
    if (!(await this.evaluate(choose, wanted))) throw new Error(`${this.selector} has no option ${wanted}.`);
  }
  async setInputFiles(files: File | readonly File[]): Promise<void> {
    await this.waitFor({ state: 'attached' });
    const folder = await mkdtemp(join(tmpdir(), 'chosen-files-'));
    const paths = [files].flat().map(({ name }) => join(folder, name));
    for (const [index, { buffer }] of [files].flat().entries()) await writeFile(paths[index]!, buffer);
    await this.page.driver.choose(`() => finder.one(${JSON.stringify(this.selector)})`, paths);
  }
}

export class Page extends Scope {
  readonly driver: Driver;
  readonly #base: string;
  readonly #finder: string;
  readonly expected: Expected[];
  constructor(driver: Driver, base: string, finder: string, expected: readonly Expected[]) {
    super();
    this.driver = driver;
    this.#base = base;
    this.#finder = finder;
    this.expected = [...expected];
  }
  within = (selector: string) => new Locator(this, selector);
  get problems() {
    return this.driver.problems;
  }
  goto = (path: string) => this.#leave(() => this.driver.goto(new URL(path, this.#base || undefined).href));
  reload = () => this.#leave(() => this.driver.reload());
  /** The page may be replaced before it answers. */
  goBack = () => this.#leave(() => this.run('() => history.back()').catch(() => undefined));
  url = () => this.until('the URL', () => this.run<string>('() => location.href'));
  cookies = () => this.driver.cookies();
  screenshot = () => this.driver.screenshot();
  keyboard = {
    press: (keys: string) => this.driver.press(keys.split('+')),
    type: (text: string) => this.driver.type(text),
  };
  mouse = {
    move: (x: number, y: number) => this.driver.moveMouse(x, y),
    wheel: (deltaX: number, deltaY: number) => this.driver.turnWheel(deltaX, deltaY),
  };

  /** Fetches the page's problems before the browser discards them. */
  async #leave(go: () => Promise<unknown>): Promise<void> {
    await this.run('() => 0').catch(() => undefined);
    await go();
  }
  /** Calls a function, given as source code, in the page. */
  async run<Answer>(source: string, args: readonly unknown[] = []): Promise<Answer> {
    const answer = await this.driver.call(
      `(text) => {
        const answer = (value) => JSON.stringify({ value, problems: finder.takeProblems() });
        const fail = (error) => JSON.stringify({ error: String(error), problems: [] });
        if (!document.documentElement) return 'empty';
        if (!globalThis.finder) return '';
        try {
          const value = (${source})(...JSON.parse(text));
          return value instanceof Promise ? value.then(answer, fail) : answer(value);
        } catch (error) {
          return fail(error);
        }
      }`,
      JSON.stringify(args),
    );
    // Firefox answers between two pages too, when the new document has no element yet.
    if (answer === 'empty') throw new Error('the document is still empty');
    if (answer === '') {
      await this.driver.call(`() => { ${this.#finder}\n; return '' }`);
      return this.run(source, args);
    }
    const { value, error, problems } = JSON.parse(answer) as { value: Answer; error?: string; problems: string[] };
    this.driver.problems.push(...problems);
    if (error !== undefined) throw new PageError(error);
    return value;
  }
  /** Asks until the answer is not a reason to wait. Asks again if the page was being replaced. */
  async until<Answer>(what: string, ask: () => Promise<Answer | { wait: string }>): Promise<Answer> {
    // Asking takes a few milliseconds of processor time, so the pauses become longer.
    const deadline = Date.now() + 90_000;
    for (let pause = 25; ; pause = Math.min(pause * 1.5, 200)) {
      const answer = await ask().catch((error: Error) => {
        if (error instanceof PageError) throw error;
        return { wait: error.message };
      });
      if (!(answer instanceof Object && 'wait' in answer)) return answer;
      if (Date.now() > deadline) {
        const seen = await this.run<string>('() => `${location.href} shows: ${document.body.innerText}`').catch(String);
        throw new Error(`${what}: ${answer.wait} after 90 s. ${seen}`);
      }
      await sleep(pause);
    }
  }
  evaluate<Answer, Argument>(ask: (argument: Argument) => Answer, argument?: Argument): Promise<Awaited<Answer>> {
    return this.until(ask.toString(), () => this.run(ask.toString(), [argument]));
  }
  async waitForFunction<Argument>(ask: (argument: Argument) => unknown, argument?: Argument): Promise<void> {
    await this.until(ask.toString(), async () => (await this.evaluate(ask, argument)) || { wait: 'not true' });
  }
  /** Waits for a URL. In a text, `*` means any characters. */
  async waitForURL(wanted: Text): Promise<void> {
    const escaped = String(wanted).replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    const pattern = typeof wanted === 'string' ? new RegExp(`^${escaped.replaceAll(/\*+/g, '.*')}$`) : wanted;
    await this.until(String(wanted), async () => pattern.test(await this.url()) || { wait: await this.url() });
    await this.waitForFunction(() => document.readyState === 'complete');
  }
}

/** A function of a test failed in the page. */
class PageError extends Error {}

export interface PageOptions {
  readonly baseURL?: string;
  readonly device?: 'phone' | 'desktop';
  readonly cookies?: Visit['cookies'];
  readonly expected?: readonly Expected[];
}

interface Engine {
  readonly openTab: OpenTab;
  readonly finder: string;
}
declare global {
  /** The engine of this worker. The test files of a worker share it. */
  var engine: Promise<Engine> | undefined;
}
declare module 'vitest' {
  export interface ProvidedContext {
    engine: EngineName;
  }
}

async function startedEngine(): Promise<Engine> {
  const entry = new URL('finder.ts', import.meta.url).pathname;
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, minify: true });
  return { openTab: await startEngine(inject('engine')), finder: outputFiles[0]!.text };
}

/** Provides pages in the browser that the project is named after. Call it once, at the top of a test file. */
export function useEngine() {
  const open = new Set<Page>();
  beforeAll(async () => void (await (globalThis.engine ??= startedEngine())));
  afterEach(async ({ task }) => {
    const pages = [...open];
    open.clear();
    for (const page of pages) {
      await page.run('() => 0').catch(() => undefined);
      if (task.result?.state === 'fail') await keepScreenshot(`${inject('engine')}-${task.name}`, page);
      await page.driver.close();
    }
    const unexpected = pages.flatMap(({ driver, expected }) => unexpectedOf({ problems: driver.problems, expected }));
    if (unexpected.length > 0) throw new Error(`The page had problems:\n${unexpected.join('\n')}`);
  });
  return {
    name: inject('engine'),
    async newPage({ baseURL = '', device, cookies = [], expected = [] }: PageOptions = {}) {
      const { openTab, finder } = await globalThis.engine!;
      const viewport = device === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 900 };
      const page = new Page(await openTab({ url: baseURL, viewport, cookies }), baseURL, finder, expected);
      open.add(page);
      return page;
    },
  };
}

/** Saves a screenshot of a failed test's page in `.cache/test-reports`. */
async function keepScreenshot(name: string, page: Page): Promise<void> {
  const folder = '.cache/test-reports';
  await mkdir(folder, { recursive: true });
  const picture = await page.screenshot().catch(() => '');
  await writeFile(join(folder, `${name.replaceAll(/\W+/g, '-').slice(0, 100)}.png`), picture);
}
