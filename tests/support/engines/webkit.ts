import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, stopProcess, textFrom } from './processes.ts';
import { type Cookie, ProtocolError, ScriptError, type Tab, type Viewport } from './tab.ts';

/** The buttons of MiniBrowser's toolbar would prevent a window as narrow as a phone. */
const narrowToolbar = '* { min-width: 0; margin: 0; border: 0; padding: 0; font-size: 1px; }';

/**
 * Starts WebKit's driver on a virtual screen. The driver starts a new MiniBrowser for each tab, with an empty profile.
 */
export async function startWebkit(driver: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  for (const toolkit of ['gtk-3.0', 'gtk-4.0']) {
    await mkdir(join(home, toolkit));
    await writeFile(join(home, toolkit, 'gtk.css'), narrowToolbar);
  }
  const screen = startProcess('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const children: ChildProcess[] = [screen];
  const stop = async () => {
    for (const child of children.reverse()) await stopProcess(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const [, display = ''] = await textFrom(screen, screen.stdout, /(\d+)\n/);
  const port = await freePort();
  children.push(
    startProcess(driver, ['-p', String(port)], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${display}`, XDG_CONFIG_HOME: home, LANG: 'C.UTF-8', LANGUAGE: 'en_US' },
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    if (await fetch(`${url}/status`).catch(() => undefined)) return { url, stop };
    if (Date.now() > deadline) throw new Error('WebKitWebDriver did not start within 60 seconds.');
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
/** The key by which WebDriver identifies an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Opens a new MiniBrowser. The driver allows one at a time. */
export async function openWebkitTab(url: string, program: string, viewport: Viewport): Promise<Tab> {
  const { sessionId } = await command<Session>(`${url}/session`, 'POST', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: program, args: ['--automation'] },
        unhandledPromptBehavior: 'accept',
      },
    },
  });
  const session = `${url}/session/${sessionId}`;
  const post = <Answer>(path: string, body: object = {}) => command<Answer>(session + path, 'POST', body);
  const call = <Answer>(source: string, argument: string) =>
    post<Answer>('/execute/sync', { script: `return (${source})(arguments[0])`, args: [argument] });

  await post('/window/rect', { ...viewport });
  // WebDriver sets the height of the window, which includes the toolbar.
  const toolbar = await call<number>('() => outerHeight - innerHeight', '');
  await post('/window/rect', { width: viewport.width, height: viewport.height + toolbar });

  return {
    problems: [],
    goto: (address) => post('/url', { url: address }),
    reload: () => post('/refresh'),
    // The driver's own command waits for a load event, which WebKit does not send for a page that it restores from memory.
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
      if (cookies.length > 0) await post('/url', { url: `${address}/robots.txt` });
      for (const { name, value, path, httpOnly } of cookies) {
        await post('/cookie', { cookie: { name, value, path, httpOnly } });
      }
    },
    clearCookies: () => command(`${session}/cookie`, 'DELETE'),
    close: () => command(session, 'DELETE'),
  };
}

async function command<Answer>(url: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(60_000),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const { value } = (await response.json()) as { value: Answer & { error?: string; message?: string } };
  if (response.ok) return value;
  const message = `${value.error}: ${value.message}`;
  throw value.error === 'javascript error' ? new ScriptError(message) : new ProtocolError(message);
}
