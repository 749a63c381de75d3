import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, KeyInput, Page } from 'puppeteer-core';
import { browserVariables } from '../../../scripts/browser.mjs';
import { browserArguments, chromiumPath } from './browser.ts';
import { freePort } from '../servers/ports.ts';

export type EngineName = 'chromium' | 'firefox' | 'webkit';
export interface Visit {
  readonly url: string;
  readonly viewport: { width: number; height: number };
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}
export type Driver = ReturnType<typeof driverOf>;
export type OpenTab = (visit: Visit) => Promise<Driver>;

const env = { ...process.env, TZ: 'America/New_York', LANG: 'C.UTF-8', LANGUAGE: 'en_US' };

export const startEngine = (name: EngineName): Promise<OpenTab> =>
  name === 'webkit' ? startWebkit() : startPuppeteer(name);

const firefoxPreferences = {
  // Without a screen, Firefox reports no mouse. 6 means a fine pointer that can hover.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // The following preferences save processor time: fewer frames in a second, no process in reserve, no animated tabs.
  'layout.frame_rate': 20,
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'toolkit.cosmeticAnimations.enabled': false,
};

async function startPuppeteer(name: 'chromium' | 'firefox'): Promise<OpenTab> {
  const { default: puppeteer } = await import('puppeteer-core');
  const common = { env, timeout: 120_000 };
  const browser = await (name === 'firefox'
    ? puppeteer.launch({
        ...{ ...common, browser: name, executablePath: browserVariables().FIREFOX_PATH! },
        extraPrefsFirefox: firefoxPreferences,
      })
    : puppeteer.launch({
        ...{ ...common, headless: 'shell', args: [...browserArguments] },
        executablePath: chromiumPath() ?? (await import('playwright')).chromium.executablePath(),
      }));
  // When this process ends, Puppeteer ends only every second browser.
  const end = () => void browser.process()?.kill('SIGKILL');
  process.once('exit', end).once('SIGTERM', end);
  return async ({ url, viewport, cookies }) => {
    const context = await browser.createBrowserContext();
    const { hostname: domain } = new URL(url || 'http://localhost');
    await context.setCookie(...cookies.map(({ name, value }) => ({ name, value, path: '/', domain })));
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.setViewport(viewport);
    if (name === 'chromium') {
      // Puppeteer loses a page that Chromium replaces with a prerendered one. Playwright's tests use prerendered pages.
      await (await page.createCDPSession()).send('Page.setPrerenderingAllowed', { isAllowed: false });
      if (url) await context.overridePermissions(url, ['clipboard-sanitized-write']);
    }
    return driverOf(page, name);
  };
}

function driverOf(page: Page, name: EngineName) {
  const problems: string[] = [];
  const note = (problem: string) => void problems.push(problem);
  page.on('dialog', (dialog) => void dialog.accept());
  page.on('console', (message) => {
    if (['warn', 'error', 'assert'].includes(message.type()))
      note(`console ${message.type()}: ${message.text()} (${message.location().url ?? ''})`);
  });
  page.on('pageerror', (error) => {
    // Firefox also reports an import that ends because the visitor leaves the page. A failed request is noted below.
    if (!/error loading dynamically imported module/.test(String(error))) note(`page error: ${String(error)}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its open requests.
    if (!/ABORT/.test(reason)) note(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    // Chromium prints these words in the console.
    const words = `the server responded with a status of ${response.status()}: ${response.url()}`;
    if (name === 'firefox' && response.status() >= 400) note(words);
  });
  return {
    problems,
    goto: (address: string): Promise<unknown> => page.goto(address),
    reload: (): Promise<unknown> => page.reload(),
    /** Calls a function, given as source code, with one text. The function returns a text, or a promise of one. */
    call: (source: string, text = '') => page.evaluate(`(${source})(${JSON.stringify(text)})`) as Promise<string>,
    moveMouse: (x: number, y: number) => page.mouse.move(x, y),
    click: (x: number, y: number) => page.mouse.click(x, y),
    turnWheel: (deltaX: number, deltaY: number) => page.mouse.wheel({ deltaX, deltaY }),
    async press(keys: readonly string[]) {
      for (const key of keys) await page.keyboard.down(key as KeyInput);
      for (const key of keys.toReversed()) await page.keyboard.up(key as KeyInput);
    },
    type: (text: string) => page.keyboard.type(text),
    /** Chooses files in the file input that a function, given as source code, returns. */
    async choose(source: string, paths: readonly string[]) {
      const input = (await page.evaluateHandle(`(${source})()`)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(...paths);
    },
    screenshot: (): Promise<Uint8Array> => page.screenshot(),
    cookies: (): Promise<{ name: string; value: string }[]> => page.browserContext().cookies(),
    close: () => page.browserContext().close(),
  };
}

/** Starts a process that ends with this one. */
function startProcess(program: string, args: readonly string[], more = {}) {
  const child = spawn(program, args, { detached: true, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'ignore'] });
  const end = () => child.exitCode === null && process.kill(-child.pid!, 'SIGKILL');
  process.once('exit', end).once('SIGTERM', end);
  return child;
}

/** The keys that WebDriver names with the codes from E003 on. */
const keyNames =
  'Backspace Tab Clear Return Enter Shift Control Alt Pause Escape Space PageUp PageDown End Home ArrowLeft ArrowUp ArrowRight ArrowDown Insert Delete'.split(
    ' ',
  );
const codeOf = (key: string) => (keyNames.includes(key) ? String.fromCharCode(0xe003 + keyNames.indexOf(key)) : key);
const stroke = (value: string) => [
  { type: 'keyDown', value },
  { type: 'keyUp', value },
];
const clearStorage = `async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  return '';
}`;

/** Starts WebKit's driver and browser (MiniBrowser) on a virtual screen. A closed tab's session is used again. */
async function startWebkit(): Promise<OpenTab> {
  const { WEBKIT_DRIVER_PATH = '', WEBKIT_BROWSER_PATH: binary = '' } = browserVariables();
  const { default: webdriver } = await import('webdriver');
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  for (const toolkit of ['gtk-3.0', 'gtk-4.0']) {
    await mkdir(join(home, toolkit));
    // A window cannot be narrower than its toolbar, so this style shrinks the buttons.
    const style = '* { min-width: 0; margin: 0; border: 0; padding: 0; font-size: 1px; }';
    await writeFile(join(home, toolkit, 'gtk.css'), style);
  }
  const screen = startProcess('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp']);
  const display = await new Promise<string>((resolve) =>
    screen.stdout.once('data', (text) => resolve(String(text).trim())),
  );

  const newSession = async () => {
    const port = await freePort();
    startProcess(WEBKIT_DRIVER_PATH, ['-p', String(port)], { DISPLAY: `:${display}`, XDG_CONFIG_HOME: home });
    while (!(await fetch(`http://127.0.0.1:${port}/status`).catch(() => false))) await sleep(20);
    const capabilities: object = {
      'wdio:enforceWebDriverClassic': true,
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      // The driver sometimes misses the load event of a page and then waits forever.
      pageLoadStrategy: 'none',
      unhandledPromptBehavior: 'accept',
    };
    return webdriver.newSession({
      ...{ hostname: '127.0.0.1', port, logLevel: 'silent', connectionRetryCount: 0 },
      capabilities,
    });
  };
  const idle = [await newSession()];
  return async ({ url, viewport, cookies }) => {
    const session = idle.pop() ?? (await newSession());
    const call = async (source: string, text = '') => {
      const answer = session.executeScript(`return (${source})(arguments[0])`, [text]) as Promise<string>;
      // If the page is being replaced, the driver sometimes never responds.
      const late = sleep(5_000).then(() => Promise.reject(new Error('WebKit does not respond')));
      late.catch(() => undefined);
      return Promise.race([answer, late]);
    };
    /** Waits until a function returns a text. A script fails while the page is being replaced. */
    const until = async (source: string) => {
      while (!(await call(source).catch(() => ''))) await sleep(25);
    };
    /** Starts to load a page, and waits until it has loaded. */
    const load = async (go: () => Promise<unknown>) => {
      await until('() => (window.isOldPage = true) && "yes"');
      await go();
      await until('() => (!window.isOldPage && document.readyState === "complete" ? "yes" : "")');
    };
    const keys = (actions: object[]) => session.performActions([{ type: 'key', id: 'keyboard', actions }]);
    const mouse = (x: number, y: number, buttons: readonly object[] = []) => {
      const actions = [{ type: 'pointerMove', x, y, duration: 0 }, ...buttons];
      return session.performActions([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    };
    const goto = (address: string) => load(() => session.navigateTo(address));
    let at = { x: 0, y: 0 };
    await session.setWindowRect(null, null, viewport.width, viewport.height);
    const toolbar = Number(await call('() => String(outerHeight - innerHeight)'));
    await session.setWindowRect(null, null, viewport.width, viewport.height + toolbar);
    if (url) {
      // A script or a driver can change only the data of the site that is open.
      await goto(new URL('/robots.txt', url).href);
      await call(clearStorage);
      await session.deleteAllCookies();
      for (const { name, value } of cookies) await session.addCookie({ name, value, path: '/' });
    }
    return {
      problems: [],
      goto,
      reload: () => load(() => session.refresh()),
      call,
      async moveMouse(x, y) {
        at = { x, y };
        await mouse(x, y);
      },
      click: (x, y) =>
        mouse(
          x,
          y,
          ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 })),
        ),
      turnWheel: (deltaX, deltaY) =>
        session.performActions([{ type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', ...at, deltaX, deltaY }] }]),
      async press(names) {
        const codes = names.map(codeOf);
        const down = codes.map((value) => ({ type: 'keyDown', value }));
        await keys([...down, ...codes.toReversed().map((value) => ({ type: 'keyUp', value }))]);
      },
      type: (text) => keys([...text].flatMap((letter) => stroke(letter === '\n' ? codeOf('Enter') : letter))),
      async choose(source, paths) {
        const found = await session.executeScript(`return (${source})()`, []);
        await session.elementSendKeys(Object.values(found as object)[0] as string, paths.join('\n'));
      },
      screenshot: async () => Buffer.from(await session.takeScreenshot(), 'base64'),
      cookies: () => session.getAllCookies(),
      close: async () => void idle.push(session),
    };
  };
}
