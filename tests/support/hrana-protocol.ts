import type Database from 'libsql';

/** The JSON of Hrana over HTTP, versions 2 and 3: what a libSQL client sends, and what it gets. */
type Value =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string };

export interface Stmt {
  sql?: string;
  sql_id?: number;
  args?: Value[];
  named_args?: { name: string; value: Value }[];
  want_rows?: boolean;
}

export type Condition =
  | { type: 'ok'; step: number }
  | { type: 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and'; conds: Condition[] }
  | { type: 'or'; conds: Condition[] }
  | { type: 'is_autocommit' };

export type StreamRequest =
  | { type: 'close' }
  | { type: 'execute'; stmt: Stmt }
  | { type: 'batch'; batch: { steps: { condition?: Condition | null; stmt: Stmt }[] } }
  | { type: 'sequence'; sql?: string; sql_id?: number }
  | { type: 'describe'; sql?: string; sql_id?: number }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }
  | { type: 'get_autocommit' };

export interface PipelineRequest {
  baton?: string | null;
  requests: StreamRequest[];
}

export interface StmtResult {
  cols: { name: string; decltype: string | null }[];
  rows: Value[][];
  affected_row_count: number;
  last_insert_rowid: string;
}

export interface ErrorAnswer {
  message: string;
  code: string;
}

/** A refusal that the client is told of by code, as the real server names it. */
export class HranaError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const primaryCodes: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  4: 'SQLITE_ABORT',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  17: 'SQLITE_SCHEMA',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  21: 'SQLITE_MISUSE',
  23: 'SQLITE_AUTH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
};

/** SQLite's extended result code of an error of the native engine, or undefined for any other error. */
export function rawCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number' ? error.rawCode : undefined;
}

/** Over the wire an error carries its primary code only, as from the real server. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof HranaError) return { message: error.message, code: error.code };
  const raw = rawCodeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (raw === undefined) return { message, code: 'ARGS_INVALID' };
  return { message: `SQLite error: ${message}`, code: primaryCodes[raw & 0xff] ?? 'SQLITE_UNKNOWN' };
}

function toEngine(value: Value): unknown {
  switch (value.type) {
    case 'null':
      return null;
    case 'integer':
      return BigInt(value.value);
    case 'float':
    case 'text':
      return value.value;
    case 'blob':
      return Buffer.from(value.base64, 'base64');
  }
}

function fromEngine(value: unknown): Value {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (Buffer.isBuffer(value)) return { type: 'blob', base64: value.toString('base64') };
  if (typeof value === 'string') return { type: 'text', value };
  throw new TypeError(`The engine gave a value of type ${typeof value}.`);
}

/** What remains of the SQL without its strings, quoted names and comments. */
function bare(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
}

/** The real server takes exactly one statement; the native engine would silently run the first of several. */
function checkSingle(sql: string): void {
  const code = bare(sql).trim().replace(/;\s*$/, '');
  if (code === '') throw new HranaError('SQL string does not contain any statement', 'SQL_NO_STATEMENT');
  if (code.includes(';') && !/^create\s+(temp\w*\s+)?trigger\b/i.test(code)) {
    throw new HranaError('SQL string contains more than one statement', 'SQL_MANY_STATEMENTS');
  }
}

/** Whether SQL needs the lock on writing; where in doubt, yes. */
export function writes(sql: string): boolean {
  return /\b(insert|update|delete|replace|create|drop|alter|immediate|exclusive|reindex|analyze)\b/i.test(bare(sql));
}

const counters = 'SELECT total_changes(), changes(), last_insert_rowid()';

function readCounters(db: Database.Database): { total: bigint; changes: bigint; rowid: bigint } {
  const row = db.prepare(counters).raw(true).safeIntegers(true).get() as [bigint, bigint, bigint];
  return { total: row[0], changes: row[1], rowid: row[2] };
}

/** Runs one statement on a connection. Throws the engine's error. */
export function execute(db: Database.Database, stmt: Stmt, sql: string): StmtResult {
  checkSingle(sql);
  const prepared = db.prepare<unknown[]>(sql).safeIntegers(true);
  const args = stmt.named_args?.length
    ? Object.fromEntries(stmt.named_args.map(({ name, value }) => [name.replace(/^[:@$]/, ''), toEngine(value)]))
    : (stmt.args ?? []).map(toEngine);
  const before = readCounters(db);
  let cols: StmtResult['cols'] = [];
  let rows: unknown[][] = [];
  if (prepared.reader) {
    cols = prepared.columns().map(({ name, type }) => ({ name, decltype: type }));
    rows = prepared.raw(true).all(args) as unknown[][];
  } else {
    prepared.run(args);
  }
  const after = readCounters(db);
  return {
    cols,
    rows: stmt.want_rows === false ? [] : rows.map((row) => row.map(fromEngine)),
    affected_row_count: after.total > before.total ? Number(after.changes) : 0,
    last_insert_rowid: String(after.rowid),
  };
}

/** Columns and parameters of a statement, without running it. */
export function describe(db: Database.Database, sql: string) {
  checkSingle(sql);
  const prepared = db.prepare(sql);
  const code = bare(sql);
  const named = new Set(code.match(/[:@$][A-Za-z_]\w*|\?\d*/g) ?? []);
  const positional = (code.match(/\?(?!\d)/g) ?? []).length;
  return {
    params: [
      ...Array.from({ length: positional }, () => ({ name: null })),
      ...[...named].filter((name) => name !== '?').map((name) => ({ name })),
    ],
    cols: prepared.reader ? prepared.columns().map(({ name, type }) => ({ name, decltype: type })) : [],
    is_explain: /^\s*explain\b/i.test(code),
    is_readonly: prepared.reader && !/\b(insert|update|delete|replace)\b/i.test(code),
  };
}
