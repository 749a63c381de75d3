import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commands, Event, Log, Network, Script } from 'webdriver-bidi-protocol';
import { startProcess, stopProcess, textFrom } from './processes.ts';
import { ProtocolError, ScriptError, type Tab, type Viewport } from './tab.ts';

const preferences = {
  // Without a screen, Firefox reports no mouse. 6 is the sum of 2 (a fine pointer) and 4 (can hover).
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

/** Starts Firefox without a window. Firefox supports WebDriver BiDi itself, so it needs no driver. */
export async function startFirefox(program: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${String(value)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'];
  // HOME is changed because root may not use the profile folder of another user.
  const firefox = startProcess(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, LANG: 'en_US.UTF-8' },
  });
  const stop = async () => {
    await stopProcess(firefox);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const [, url = ''] = await textFrom(firefox, firefox.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  return { url, stop };
}

type Send = <Name extends keyof Commands>(
  method: Name,
  params: Commands[Name]['params'],
) => Promise<Commands[Name]['returnType']>;

export interface FirefoxSession {
  openTab(viewport: Viewport): Promise<Tab>;
  close(): Promise<void>;
}

/** Opens a WebDriver BiDi session. Firefox allows one session at a time, so all tests of a file share the session. */
export async function connectToFirefox(url: string): Promise<FirefoxSession> {
  const socket = new WebSocket(`${url}/session`);
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (reason: Error) => void }>();
  const problemsOf = new Map<string, string[]>();
  await once(socket, 'open');
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as
      Event | { id: number; type: 'success'; result: never } | { id: number; type: 'error'; message: string };
    if (!('id' in message)) {
      record(message, problemsOf);
    } else {
      const command = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === 'success') command?.resolve(message.result);
      else command?.reject(new ProtocolError(message.message));
    }
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection.'));
  });
  let count = 0;
  const send: Send = (method, params) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      socket.send(JSON.stringify({ id: count, method, params }));
    });

  await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } } });
  await send('session.subscribe', { events: ['log.entryAdded', 'network.fetchError', 'network.responseCompleted'] });
  return {
    openTab: (viewport) => openTab(send, problemsOf, viewport),
    async close() {
      await send('session.end', {});
      socket.close();
    },
  };
}

async function openTab(send: Send, problemsOf: Map<string, string[]>, viewport: Viewport): Promise<Tab> {
  const { userContext } = await send('browser.createUserContext', {});
  const { context } = await send('browsingContext.create', { type: 'tab', userContext });
  await send('browsingContext.setViewport', { context, viewport: { ...viewport }, devicePixelRatio: 1 });
  const problems: string[] = [];
  problemsOf.set(context, problems);
  const partition = { type: 'storageKey', userContext } as const;

  const call = async (functionDeclaration: string, argument: string): Promise<Script.RemoteValue> => {
    const answer = await send('script.callFunction', {
      functionDeclaration,
      arguments: [{ type: 'string', value: argument }],
      awaitPromise: true,
      target: { context },
      userActivation: false,
    });
    if (answer.type === 'exception') throw new ScriptError(answer.exceptionDetails.text);
    return answer.result;
  };

  return {
    problems,
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'complete' });
    },
    async back() {
      await send('browsingContext.traverseHistory', { context, delta: -1 });
    },
    async call(source, argument) {
      const value = await call(source, argument);
      return value.type === 'string' ? value.value : '';
    },
    async perform(actions) {
      await send('input.performActions', { context, actions });
    },
    async setFiles(source, argument, paths) {
      const found = await call(source, argument);
      if (found.type !== 'node' || found.sharedId === undefined) throw new ProtocolError('There is no file input.');
      await send('input.setFiles', { context, element: { sharedId: found.sharedId }, files: [...paths] });
    },
    async screenshot() {
      const { data } = await send('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    async cookies() {
      const { cookies } = await send('storage.getCookies', { partition });
      return cookies.map(({ name, value, domain, path, httpOnly }) => {
        return { name, value: value.type === 'string' ? value.value : '', domain, path, httpOnly };
      });
    },
    async addCookies(cookies) {
      for (const { name, value, domain, path, httpOnly } of cookies) {
        const cookie = { name, domain, path, httpOnly, value: { type: 'string', value } as const };
        await send('storage.setCookie', { cookie, partition });
      }
    },
    async clearCookies() {
      await send('storage.deleteCookies', { partition });
    },
    async close() {
      problemsOf.delete(context);
      await send('browser.removeUserContext', { userContext });
    },
  };
}

/** Records the problems of a tab, with the same wording that `browser.ts` uses for Chromium. */
function record(event: Event, problemsOf: ReadonlyMap<string, string[]>): void {
  if (event.method === 'log.entryAdded') {
    const problem = problemIn(event.params);
    if (problem) problemsOf.get(event.params.source.context ?? '')?.push(problem);
  } else if (event.method === 'network.fetchError') {
    const { context, request, errorText } = event.params;
    if (!isAborted(errorText)) problemsOf.get(context ?? '')?.push(`request failed: ${describe(request)} ${errorText}`);
  } else if (event.method === 'network.responseCompleted') {
    const { context, request, response } = event.params;
    if (response.status < 400) return;
    const problem = `the server responded with a status of ${response.status}: ${describe(request)}`;
    problemsOf.get(context ?? '')?.push(problem);
  }
}

const describe = ({ method, url }: Network.RequestData) => `${method} ${url}`;

/** Returns true for a request that was aborted because the browser left the page. */
const isAborted = (errorText: string) => /ABORT/.test(errorText);

function problemIn(entry: Log.Entry): string | undefined {
  if (entry.level !== 'warn' && entry.level !== 'error') return undefined;
  return entry.type === 'javascript' ? `page error: ${entry.text}` : `console ${entry.level}: ${entry.text ?? ''}`;
}
