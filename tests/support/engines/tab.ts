import type { Input } from 'webdriver-bidi-protocol';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly httpOnly: boolean;
}

/** A page in a new profile, controlled over the engine's own protocol. `page.ts` builds on this interface. */
export interface Tab {
  /** Loads a URL and waits for its `load` event. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Calls a function, given as source code, with one string. The function returns a string, or a promise of one. */
  call(source: string, argument: string): Promise<string>;
  /** Sends real input events: keys, the mouse and its wheel. */
  perform(actions: Input.SourceActions[]): Promise<void>;
  /** Attaches files from the disk to the file input that a function, given as source code, returns. */
  setFiles(source: string, argument: string, paths: readonly string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  cookies(): Promise<readonly Cookie[]>;
  /** Adds cookies. @param url a page of the site that the cookies are for. */
  addCookies(cookies: readonly Cookie[], url: string): Promise<void>;
  clearCookies(): Promise<void>;
  /** Console messages, errors and failed requests, if the engine reports them itself. */
  readonly problems: string[];
  close(): Promise<void>;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A virtual screen, and the files that open a WebKit tab on it. MiniBrowser is WebKit's browser for tests. */
export interface WebkitScreen {
  /** The path of WebKit's driver. */
  readonly driver: string;
  /** The path of MiniBrowser. */
  readonly program: string;
  /** The name of the virtual screen, such as `:99`. */
  readonly display: string;
  /** The configuration folder, which contains MiniBrowser's style sheet. */
  readonly home: string;
}

/** A running engine, with the data that a test file needs to open tabs. */
export type StartedEngine = {
  /** The bundled script `locators.ts`, which finds elements in a page. */
  readonly locators: string;
} & (
  | {
      readonly name: 'firefox';
      /** The WebSocket URL that accepts commands. */
      readonly url: string;
    }
  | { readonly name: 'webkit'; readonly screen: WebkitScreen }
);

/** The browser refused a command. The command can be repeated if a page is being replaced. */
export class ProtocolError extends Error {}

/** A function of a test threw an error in the page. */
export class ScriptError extends Error {}
