/**
 * Returns the statements of a migration that rebuilds a table's search index for a different set of columns. The
 * existing rows are indexed too.
 */
export function searchIndex(table: string, columns: readonly string[]): string[] {
  const words = `${table}_words`;
  const names = columns.join(', ');
  const valuesOf = (row: 'new' | 'old') => columns.map((column) => `${row}.${column}`).join(', ');
  return [
    `DROP TRIGGER ${words}_added`,
    `DROP TRIGGER ${words}_removed`,
    `DROP TABLE ${words}`,
    `CREATE VIRTUAL TABLE ${words} USING fts5 (
       ${names}, content = '${table}', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
     )`,
    `CREATE TRIGGER ${words}_added AFTER INSERT ON ${table} BEGIN
       INSERT INTO ${words} (rowid, ${names}) VALUES (new.seq, ${valuesOf('new')});
     END`,
    `CREATE TRIGGER ${words}_removed AFTER DELETE ON ${table} BEGIN
       INSERT INTO ${words} (${words}, rowid, ${names}) VALUES ('delete', old.seq, ${valuesOf('old')});
     END`,
    `INSERT INTO ${words} (${words}) VALUES ('rebuild')`,
  ];
}
