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

/** The number of index pages that one step writes, in about 15 ms with 100,000 submissions. */
const pagesPerStep = 64;

/**
 * Removes the words of deleted submissions from the search index. SQLite's FTS5 only marks a deleted word, and removes
 * it when the segments of the index are merged. That takes seconds for a large index, so the index is merged in steps,
 * with other writes in between.
 */
export function searchWordStore(database: Database) {
  /**
   * Runs one step of a merge.
   * @returns whether the merge is complete. A complete merge has removed all words that were deleted before it began.
   */
  const step = async (words: string, begin: boolean): Promise<boolean> => {
    const [, before, , after] = await database.write(
      begin ? sql`UPDATE search_deletions SET merging = deletions WHERE words = ${words}` : sql`SELECT 1`,
      sql`SELECT total_changes() AS changes`,
      // A negative number begins a merge of the whole index; a positive number continues it.
      sql`INSERT INTO ${rawSql(words)} (${rawSql(words)}, rank) VALUES ('merge', ${begin ? -pagesPerStep : pagesPerStep})`,
      sql`SELECT total_changes() AS changes`,
    );
    // The statement itself counts as one change, so fewer than two changes mean that nothing was left to merge
    // (sqlite.org/fts5.html, 'The merge command').
    return !begin && Number(after?.rows[0]?.changes) - Number(before?.rows[0]?.changes) < 2;
  };

  return {
    /**
     * Merges for about `budgetMs` at most. The next call continues where this one stopped.
     * @returns true if the indexes contain no deleted words; false if the time was over first.
     */
    async merge(budgetMs: number): Promise<boolean> {
      const until = performance.now() + budgetMs;
      const unmerged = () =>
        database.read(sql`SELECT words, merging, merged FROM search_deletions WHERE merged < deletions ORDER BY words`);
      for (let rows = await unmerged(); rows.length > 0; rows = await unmerged()) {
        for (const row of rows) {
          const words = text(row.words);
          let done = await step(words, Number(row.merging) === Number(row.merged));
          while (!done) {
            if (performance.now() >= until) return false;
            done = await step(words, false);
          }
          await database.write(sql`UPDATE search_deletions SET merged = merging WHERE words = ${words}`);
        }
      }
      return true;
    },
  };
}
