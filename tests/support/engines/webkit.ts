import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, stopProcess, textFrom } from './processes.ts';
import { type Cookie, ProtocolError, ScriptError, type Tab, type Viewport, type WebkitScreen } from './tab.ts';

/** Milliseconds that a command of the driver may take. */
const patience = 20_000;
/**
 * Milliseconds that a script in the page may take. If the page is being replaced, the driver sometimes never responds,
 * and the caller asks the new page.
 */
const scriptPatience = 5_000;
/** Shrinks the buttons of MiniBrowser's toolbar, because a window cannot be narrower than its toolbar. */
const narrowToolbar = '* { min-width: 0; margin: 0; border: 0; padding: 0; font-size: 1px; }';

/** Starts a virtual screen. */
export async function startScreen(
  driver: string,
  program: string,
): Promise<{ screen: WebkitScreen; stop: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  for (const toolkit of ['gtk-3.0', 'gtk-4.0']) {
    await mkdir(join(home, toolkit));
    await writeFile(join(home, toolkit, 'gtk.css'), narrowToolbar);
  }
  const server = startProcess('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = async () => {
    await stopProcess(server);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const [, display = ''] = await textFrom(server, server.stdout, /(\d+)\n/);
  return { screen: { driver, program, display: `:${display}`, home }, stop };
}

/** Starts a driver for one tab. Each tab has a separate driver, so a driver that hangs does not affect other tabs. */
async function startDriver({ driver, display, home }: WebkitScreen) {
  const port = await freePort();
  const child = startProcess(driver, ['-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: home, LANG: 'C.UTF-8', LANGUAGE: 'en_US' },
  });
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + patience; ; await sleep(25)) {
    if (await fetch(`${url}/status`).catch(() => undefined)) return { url, child };
    if (Date.now() > deadline) throw new Error(`WebKitWebDriver did not start within ${patience} ms.`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

interface Session {
  readonly sessionId: string;
}
/** The JSON key that contains the id of an element in WebDriver responses. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Opens a new MiniBrowser with an empty profile. */
export async function openWebkitTab(screen: WebkitScreen, viewport: Viewport): Promise<Tab> {
  const { url, child } = await startDriver(screen);
  const { sessionId } = await command<Session>(`${url}/session`, 'POST', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: screen.program, args: ['--automation'] },
        unhandledPromptBehavior: 'accept',
        // The driver sometimes misses the `load` event of a page and then waits forever.
        pageLoadStrategy: 'none',
      },
    },
  }).catch(async (error: unknown) => {
    await stopProcess(child);
    throw error;
  });
  const session = `${url}/session/${sessionId}`;
  const post = <Answer>(path: string, body: object = {}, limit = patience) =>
    command<Answer>(session + path, 'POST', body, limit);
  const call = <Answer>(source: string, argument: string, limit = scriptPatience) =>
    post<Answer>('/execute/sync', { script: `return (${source})(arguments[0])`, args: [argument] }, limit);

  /** Starts to load a page, and waits until it has loaded. */
  const load = async (path: string, body: object) => {
    await call('() => { window.isOldPage = true; return ""; }', '');
    await post(path, body);
    // A script fails while the page is being replaced.
    const hasLoaded = () =>
      call<boolean>('() => !window.isOldPage && document.readyState === "complete"', '', 1_000).catch(() => false);
    for (const deadline = Date.now() + patience; ; await sleep(10)) {
      if (await hasLoaded()) return;
      if (Date.now() > deadline) throw new Error(`${path} ${JSON.stringify(body)}: not loaded after ${patience} ms.`);
    }
  };

  await post('/window/rect', { ...viewport });
  // WebDriver sets the height of the window, which includes the toolbar.
  const toolbar = await call<number>('() => outerHeight - innerHeight', '');
  await post('/window/rect', { width: viewport.width, height: viewport.height + toolbar });

  return {
    problems: [],
    goto: (address) => load('/url', { url: address }),
    reload: () => load('/refresh', {}),
    back: () => call<void>('() => history.back()', ''),
    call,
    perform: (actions) => post('/actions', { actions }),
    async setFiles(source, argument, paths) {
      const found = await call<Record<string, string>>(source, argument);
      await post(`/element/${found[elementKey]}/value`, { text: paths.join('\n') });
    },
    async screenshot() {
      return Buffer.from(await command<string>(`${session}/screenshot`, 'GET'), 'base64');
    },
    cookies: () => command<Cookie[]>(`${session}/cookie`, 'GET'),
    async addCookies(cookies, address) {
      // WebDriver can add cookies only to the site that is open.
      if (cookies.length > 0) await load('/url', { url: `${address}/robots.txt` });
      for (const { name, value, path, httpOnly } of cookies) {
        await post('/cookie', { cookie: { name, value, path, httpOnly } });
      }
    },
    clearCookies: () => command(`${session}/cookie`, 'DELETE'),
    close: () => stopProcess(child),
  };
}

async function command<Answer>(url: string, method: string, body?: object, limit = patience): Promise<Answer> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(limit),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((error: unknown) => {
    throw error instanceof DOMException ? new ProtocolError(`No response from ${url} after ${limit} ms.`) : error;
  });
  const { value } = (await response.json()) as { value: Answer & { error?: string; message?: string } };
  if (response.ok) return value;
  const message = `${value.error}: ${value.message}`;
  throw value.error === 'javascript error' ? new ScriptError(message) : new ProtocolError(message);
}
