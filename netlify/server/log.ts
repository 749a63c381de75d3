import { format } from 'node:util';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Level = 'error' | 'info';

/** Characters of one value, and of one line: a collector of logs cuts or drops what is longer. */
const longest = { value: 1_500, line: 8_000 } as const;
/** Lines of one event a minute; the rest are counted, and the count is logged when the minute is over. */
export const linesAMinute = 100;
const minute = 60_000;

/** What one event wrote within the current minute. */
interface Window {
  readonly since: number;
  written: number;
  left: number;
}

/** By event. Events are literals of the code, so there are few. */
const windows = new Map<string, Window>();
const mostEvents = 500;

/** One line of JSON. Never a body, a query string or anything that a person wrote. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  write('error', event, { ...fields, ...describe(error) });
}

export function logInfo(event: string, fields: Fields): void {
  write('info', event, fields);
}

/** A line of the access log, which is not limited in number: it is written where an owner asks for it. */
export function logAccess(fields: Fields): void {
  output.log(line('info', 'request', fields));
}

function write(level: Level, event: string, fields: Fields): void {
  if (!admit(event)) return;
  const text = line(level, event, fields);
  if (level === 'error') output.error(text);
  else output.log(text);
}

/** Whether an event may write a line now. */
function admit(event: string): boolean {
  const now = performance.now();
  const current = windows.get(event);
  if (current && now - current.since < minute) {
    if (current.written < linesAMinute) {
      current.written += 1;
      return true;
    }
    current.left += 1;
    // The first one that is left out sees to the count.
    if (current.left === 1) setTimeout(() => tellLeft(event, current), minute - (now - current.since)).unref();
    return false;
  }
  if (windows.size >= mostEvents) windows.clear();
  windows.set(event, { since: now, written: 1, left: 0 });
  return true;
}

function tellLeft(event: string, { left }: Window): void {
  output.error(line('error', 'lines left out', { of: event, count: left }));
}

function line(level: Level, event: string, fields: Fields): string {
  const bounded = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value, longest.value) : value,
    ]),
  );
  const text = JSON.stringify({ level, at: new Date().toISOString(), event: cut(event, longest.value), ...bounded });
  return text.length <= longest.line ? text : JSON.stringify({ level, at: new Date().toISOString(), event, cut: true });
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function describe(error: unknown): Record<string, string> {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error: `a thrown ${typeof error}` };
  return {
    error: `${error.name}: ${error.message}`,
    ...(error.stack && { stack: error.stack.split('\n').slice(1, 8).join('\n') }),
    ...(error.cause instanceof Error && { cause: `${error.cause.name}: ${error.cause.message}` }),
  };
}

/** The console as it was, or as a test put it: read at each line. */
let output: Pick<Console, 'error' | 'log'> = {
  error: (text: string) => console.error(text),
  log: (text: string) => console.log(text),
};

/**
 * From now on everything that any library prints to the console is one bounded line of JSON too, so a collector of logs can read
 * all of it. For a process that serves in production.
 */
export function structureConsole(): void {
  const { error, log } = console;
  output = { error: error.bind(console), log: log.bind(console) };
  const structured =
    (level: Level) =>
    (...values: unknown[]): void =>
      write(level, 'console', { text: format(...values) });
  Object.assign(console, {
    error: structured('error'),
    warn: structured('error'),
    log: structured('info'),
    info: structured('info'),
    debug: structured('info'),
  });
}
