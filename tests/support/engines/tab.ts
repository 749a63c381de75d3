import type { Input } from 'webdriver-bidi-protocol';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly httpOnly: boolean;
}

/** One page in a fresh profile, as the engine's own protocol offers it. `page.ts` builds everything else on this. */
export interface Tab {
  /** Loads an address and waits for its `load` event. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Calls a function, given as source code, with one text. It returns a text, or a promise of one. */
  call(source: string, argument: string): Promise<string>;
  /** Sends real input: keys, the mouse and its wheel. */
  perform(actions: Input.SourceActions[]): Promise<void>;
  /** Puts files from the disk into the file input that a function, given as source code, returns. */
  setFiles(source: string, argument: string, paths: readonly string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  cookies(): Promise<readonly Cookie[]>;
  /** @param url a page of the site that the cookies are for. */
  addCookies(cookies: readonly Cookie[], url: string): Promise<void>;
  clearCookies(): Promise<void>;
  /** Console messages, errors and failed requests, where the engine reports them by itself. */
  readonly problems: string[];
  close(): Promise<void>;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** An engine that has started, and what a test file needs to open tabs in it. */
export interface StartedEngine {
  readonly name: 'firefox' | 'webkit';
  /** Where it takes commands. */
  readonly url: string;
  /** The path of the browser. */
  readonly program: string;
  /** The script that finds elements in a page: `locators.ts`. */
  readonly locators: string;
}

/** The browser refused a command. Worth another try while a page is being replaced. */
export class ProtocolError extends Error {}

/** A function of a test threw in the page. */
export class ScriptError extends Error {}
