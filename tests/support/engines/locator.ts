import { getByLabelSelector, getByRoleSelector, getByTextSelector } from 'ivya';
import type { Readiness } from './locators.ts';

export interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** The methods that a locator needs from its page. */
export interface LocatorHost {
  inPage(source: string, args: readonly unknown[], withLocators?: boolean): Promise<unknown>;
  until<Answer>(
    what: string,
    ask: () => Promise<Answer | undefined>,
    timeout?: number,
    reason?: () => string,
  ): Promise<Answer>;
  press(at: { x: number; y: number }, times: number): Promise<void>;
  readonly keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> };
  setFiles(selector: string, files: File | readonly File[]): Promise<void>;
}

export const byRole = getByRoleSelector;
export const byText = getByTextSelector;
export const byLabel = getByLabelSelector;

export function textFilter(text: string | RegExp | undefined): string {
  if (text === undefined) return '';
  return ` >> internal:has-text=${typeof text === 'string' ? `${JSON.stringify(text)}i` : String(text)}`;
}

type State = 'visible' | 'hidden' | 'attached' | 'detached';

/** The methods of Playwright's `Locator` that the tests use. See `EnginePage`. */
export class EngineLocator {
  readonly #page: LocatorHost;
  readonly selector: string;

  constructor(page: LocatorHost, selector: string) {
    this.#page = page;
    this.selector = selector;
  }

  #within(selector: string): EngineLocator {
    return new EngineLocator(this.#page, `${this.selector} >> ${selector}`);
  }
  locator(selector: string, options: { hasText?: string | RegExp } = {}): EngineLocator {
    return this.#within(selector + textFilter(options.hasText));
  }
  getByRole(...given: Parameters<typeof byRole>): EngineLocator {
    return this.#within(byRole(...given));
  }
  getByText(...given: Parameters<typeof byText>): EngineLocator {
    return this.#within(byText(...given));
  }
  getByLabel(...given: Parameters<typeof byLabel>): EngineLocator {
    return this.#within(byLabel(...given));
  }
  filter({ hasText, has }: { hasText?: string | RegExp; has?: EngineLocator }): EngineLocator {
    const inner = has ? ` >> internal:has=${JSON.stringify(has.selector)}` : '';
    return new EngineLocator(this.#page, this.selector + textFilter(hasText) + inner);
  }
  nth(index: number): EngineLocator {
    return this.#within(`nth=${index}`);
  }
  first(): EngineLocator {
    return this.nth(0);
  }
  last(): EngineLocator {
    return this.nth(-1);
  }

  /** Calls a function, given as source code, in the page. The function's first argument is this locator's selector. */
  #ask<Answer>(source: string, ...args: unknown[]): Promise<Answer> {
    return this.#page.inPage(source, [this.selector, ...args], true) as Promise<Answer>;
  }
  #until<Answer>(what: string, ask: () => Promise<Answer | undefined>, timeout?: number, reason?: () => string) {
    return this.#page.until(`${this.selector}, ${what}`, ask, timeout, reason);
  }

  /** Waits for the element, and calls a function with it. */
  async evaluate<Answer, Argument>(
    ask: (element: never, argument: Argument) => Answer,
    argument?: Argument,
  ): Promise<Awaited<Answer>> {
    const source = `async (selector, argument) => {
      const element = locators.one(selector);
      return element ? [await (${ask.toString()})(element, argument)] : undefined;
    }`;
    const [answer] = await this.#until('attached', () => this.#ask<[Awaited<Answer>] | undefined>(source, argument));
    return answer ?? (undefined as Awaited<Answer>);
  }
  evaluateAll<Answer>(ask: (elements: never[]) => Answer): Promise<Awaited<Answer>> {
    return this.#ask(`(selector) => (${ask.toString()})(locators.all(selector))`);
  }

  count(): Promise<number> {
    return this.evaluateAll((elements) => elements.length);
  }
  allTextContents(): Promise<string[]> {
    return this.evaluateAll((elements: Element[]) => elements.map(({ textContent }) => textContent));
  }
  textContent(): Promise<string | null> {
    return this.evaluate((element: Element) => element.textContent);
  }
  innerText(): Promise<string> {
    return this.evaluate((element: HTMLElement) => element.innerText);
  }
  inputValue(): Promise<string> {
    return this.evaluate((element: HTMLInputElement) => element.value);
  }
  getAttribute(name: string): Promise<string | null> {
    return this.evaluate((element: Element, wanted: string) => element.getAttribute(wanted), name);
  }
  isChecked(): Promise<boolean> {
    return this.evaluate((element: HTMLInputElement) => element.checked);
  }
  isVisible(): Promise<boolean> {
    return this.#ask('(selector) => locators.isVisible(locators.one(selector))');
  }
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null> {
    return this.evaluate((element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.checkVisibility() ? { x, y, width, height } : null;
    });
  }

  async waitFor({ state = 'visible', timeout }: { state?: State; timeout?: number } = {}): Promise<void> {
    const source = `(selector, state) => {
      const element = locators.one(selector);
      const visible = locators.isVisible(element);
      return { visible, hidden: !visible, attached: !!element, detached: !element }[state] || undefined;
    }`;
    await this.#until(state, () => this.#ask<true | undefined>(source, state), timeout);
  }

  async #pointOf(enabled: boolean): Promise<{ x: number; y: number }> {
    let wait = '';
    const ask = async () => {
      const answer = await this.#ask<Readiness>('(selector, needs) => locators.pointOf(selector, needs)', { enabled });
      if ('at' in answer) return answer.at;
      wait = answer.wait;
      return undefined;
    };
    return this.#until('ready', ask, undefined, () => `It is ${wait}.`);
  }
  async hover(): Promise<void> {
    await this.#page.press(await this.#pointOf(false), 0);
  }
  /** Clicks the element. Tries again if the page moved and the click would have reached another element. */
  async click({ clickCount = 1 }: { clickCount?: number } = {}): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await this.#page.press(await this.#pointOf(true), clickCount);
      const ask = async () => [await this.#ask<boolean>('() => locators.wasPressed()')];
      const [wasPressed] = await this.#until('pressed', ask);
      if (wasPressed) return;
    }
    throw new Error(`${this.selector}: ten presses in a row would have reached another element.`);
  }
  async focus(): Promise<void> {
    await this.evaluate((element: HTMLElement) => element.focus());
  }
  async press(keys: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press(keys);
  }
  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.type(text);
  }

  /** Clicks the field, deletes its text, and types. */
  async fill(text: string): Promise<void> {
    await this.click();
    const holdsText = (field: HTMLInputElement) => (field.value ?? field.textContent) !== '';
    if (await this.evaluate(holdsText)) {
      await this.#page.keyboard.press('Control+a');
      await this.#page.keyboard.press('Delete');
    }
    await this.#page.keyboard.type(text);
  }

  async check(): Promise<void> {
    if (!(await this.isChecked())) await this.click();
  }

  /** Moves to the option with this value and chooses it, with the keyboard. */
  async selectOption(value: string): Promise<void> {
    const distance = (field: HTMLSelectElement, wanted: string) =>
      [...field.options].findIndex((option) => option.value === wanted) - field.selectedIndex;
    const steps = await this.evaluate(distance, value);
    await this.focus();
    await this.#choose(steps);
    const left = await this.evaluate(distance, value);
    if (left !== 0) throw new Error(`${this.selector} has no option ${value} that the keyboard reaches.`);
  }
  async #choose(steps: number): Promise<void> {
    for (let step = 0; step < Math.abs(steps); step += 1) {
      await this.#page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    }
  }

  async setInputFiles(files: File | readonly File[]): Promise<void> {
    await this.waitFor({ state: 'attached' });
    await this.#page.setFiles(this.selector, files);
  }
}
