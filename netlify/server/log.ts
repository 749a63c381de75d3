import { format } from 'node:util';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Level = 'error' | 'info';

/** The longest value and the longest line, in characters. Log collectors cut or drop longer lines. */
const longest = { value: 1_500, line: 8_000 } as const;
/** The most lines of one event in a minute. Further lines are counted, and the count is logged after the minute. */
export const linesAMinute = 100;
const minute = 60_000;

/**
 * The number of lines of each event in the current minute. Event names come from the code and not from visitors, so the
 * map stays small.
 */
const counts = new Map<string, number>();

/** Logs one line of JSON. Never pass a request body, a query string or text that a person wrote. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  write('error', event, { ...fields, ...describe(error) });
}

export function logInfo(event: string, fields: Fields): void {
  write('info', event, fields);
}

/** Writes a line, unless the event has written too many lines in this minute. */
function write(level: Level, event: string, fields: Fields): void {
  if (!counts.has(event)) setTimeout(() => endMinute(level, event), minute).unref();
  const count = (counts.get(event) ?? 0) + 1;
  counts.set(event, count);
  if (count <= linesAMinute) print(level, event, fields);
}

/** Logs how many lines of an event were left out. */
function endMinute(level: Level, event: string): void {
  const left = (counts.get(event) ?? 0) - linesAMinute;
  counts.delete(event);
  if (left > 0) print(level, 'lines left out', { of: event, count: left });
}

/** The console's own functions, after {@link structureConsole} has replaced them. */
let original: Pick<Console, 'error' | 'log'> | null = null;

function print(level: Level, event: string, fields: Fields): void {
  const at = new Date().toISOString();
  const bounded = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]);
  const text = JSON.stringify({ level, at, event: cut(event), ...Object.fromEntries(bounded) });
  const line = text.length <= longest.line ? text : JSON.stringify({ level, at, event, cut: true });
  (original ?? console)[level === 'error' ? 'error' : 'log'](line);
}

function cut(text: string): string {
  return text.length <= longest.value ? text : `${text.slice(0, longest.value)}…`;
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

/** Forgets the counted lines and the structured console, for the next test in the same process. */
export function resetLog(): void {
  counts.clear();
  original = null;
}

/**
 * Replaces the console's functions, so everything that a library prints is also one line of JSON with a limited length.
 * Log collectors can then read all output. Call it in a process that serves production.
 */
export function structureConsole(): void {
  original = { error: console.error.bind(console), log: console.log.bind(console) };
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
