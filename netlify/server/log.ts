import { format } from 'node:util';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Level = 'error' | 'info';

/** The longest value and the longest line, in characters. Log collectors cut or drop longer lines. */
const longest = { value: 1_500, line: 8_000 } as const;
/** The most lines of one event in a minute. Further lines are counted, and the count is logged after the minute. */
export const linesAMinute = 100;
const minute = 60_000;

/**
 * The number of lines of each event that were written and that were left out in the current minute. Event names come
 * from the code and not from visitors, so the map stays small.
 */
const windows = new Map<string, { written: number; left: number }>();

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
  const current = windows.get(event) ?? beginWindow(event);
  if (current.written < linesAMinute) current.written += 1;
  else current.left += 1;
  return current.left === 0;
}

/** Starts to count the lines of an event for a minute. Then logs how many lines were left out. */
function beginWindow(event: string) {
  const begun = { written: 0, left: 0 };
  windows.set(event, begun);
  setTimeout(() => {
    if (windows.get(event) !== begun) return;
    windows.delete(event);
    if (begun.left > 0) output.error(line('error', 'lines left out', { of: event, count: begun.left }));
  }, minute).unref();
  return begun;
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
