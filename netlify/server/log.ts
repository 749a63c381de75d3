import { format } from 'node:util';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Level = 'error' | 'info';

/** The longest value and the longest line, in characters. Log collectors cut or drop longer lines. */
const longest = { value: 1_500, line: 8_000 } as const;
/** The most lines of one event in a minute. Further lines are counted, and the count is logged after the minute. */
export const linesAMinute = 100;
const minute = 60_000;

/** The number of lines of one event that were written and that were suppressed (`left`) in the current minute. */
interface Window {
  readonly since: number;
  written: number;
  left: number;
}

/** The line counts by event. Event names come from the code and not from visitors, so the map stays small. */
const windows = new Map<string, Window>();
const mostEvents = 500;

/** Logs one line of JSON. Never pass a request body, a query string or text that a person wrote. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  write('error', event, { ...fields, ...describe(error) });
}

export function logInfo(event: string, fields: Fields): void {
  write('info', event, fields);
}

function write(level: Level, event: string, fields: Fields): void {
  if (!admit(event)) return;
  const text = line(level, event, fields);
  if (level === 'error') output.error(text);
  else output.log(text);
}

/** Returns whether an event may write a line now, and counts the line. */
function admit(event: string): boolean {
  const now = performance.now();
  const current = windows.get(event);
  if (current && now - current.since < minute) {
    if (current.written < linesAMinute) {
      current.written += 1;
      return true;
    }
    current.left += 1;
    // The first suppressed line schedules the line with the count.
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

/**
 * Looks up `console` for each line, so a test can replace `console`. {@link structureConsole} stores the original
 * functions here.
 */
const currentConsole: Pick<Console, 'error' | 'log'> = {
  error: (text: string) => console.error(text),
  log: (text: string) => console.log(text),
};
let output = currentConsole;

/** Forgets the counted lines and the structured console, for the next test in the same process. */
export function resetLog(): void {
  windows.clear();
  output = currentConsole;
}

/**
 * Replaces the console's functions, so everything that a library prints is also one line of JSON with a limited length.
 * Log collectors can then read all output. Call it in a process that serves production.
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
