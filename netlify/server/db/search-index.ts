import { type Database, rawSql, sql, text } from './database.ts';

/**
 * Returns the statements that create the full-text index of a table. The index refers to the rows and stores no copy of
 * their text.
 * @param changing the columns that an UPDATE may change. None if the rows never change.
 * @param removing a further statement for each deleted row.
 */
export function newSearchIndex(
  table: string,
  columns: readonly string[],
  { changing = [], removing = '' }: { readonly changing?: readonly string[]; readonly removing?: string } = {},
): readonly string[] {
  const words = `${table}_words`;
  const names = columns.join(', ');
  const valuesOf = (row: 'new' | 'old') => [`${row}.seq`, ...columns.map((column) => `${row}.${column}`)].join(', ');
  const add = `INSERT INTO ${words} (rowid, ${names}) VALUES (${valuesOf('new')});`;
  const remove = `INSERT INTO ${words} (${words}, rowid, ${names}) VALUES ('delete', ${valuesOf('old')});`;
  const change = `CREATE TRIGGER ${words}_changed AFTER UPDATE OF ${changing.join(', ')} ON ${table} BEGIN
    ${remove} ${add}
  END`;
  return [
    `CREATE VIRTUAL TABLE ${words} USING fts5 (
       ${names}, content = '${table}', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
     )`,
    `CREATE TRIGGER ${words}_added AFTER INSERT ON ${table} BEGIN ${add} END`,
    `CREATE TRIGGER ${words}_removed AFTER DELETE ON ${table} BEGIN ${remove} ${removing} END`,
    ...(changing.length > 0 ? [change] : []),
  ];
}

/**
 * Removes the words of deleted submissions from the search index. SQLite's FTS5 only marks a deleted word, and removes
 * it when the whole index is rewritten, which takes 1.5 seconds with 100,000 submissions.
 */
export async function removeDeletedWords(database: Database): Promise<void> {
  // In a backup of a database that is not upgraded yet, the index has another name.
  for (const row of await database.read(sql`SELECT words FROM search_deletions WHERE merged < deletions`)) {
    const words = text(row.words);
    await database.apply([
      sql`INSERT INTO ${rawSql(words)} (${rawSql(words)}) VALUES ('optimize')`,
      sql`UPDATE search_deletions SET merged = deletions WHERE words = ${words}`,
    ]);
  }
}
