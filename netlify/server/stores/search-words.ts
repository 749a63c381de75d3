import { type Database, sql, text } from '../db/database.ts';

/** Pages of the index that one step writes: about 15 ms with 100,000 submissions. */
const pagesPerStep = 64;

/**
 * Takes the words of deleted submissions out of the search index. FTS5 marks a deleted word and keeps it until it merges the
 * parts of the index, which takes seconds for a large index. So the index is merged in steps, with other writes in between.
 */
export function searchWordStore(database: Database) {
  /** @returns whether the index holds no word that was deleted before this merge began. */
  const step = async (words: string, begin: boolean): Promise<boolean> => {
    const [, before, , after] = await database.write(
      begin ? sql('UPDATE search_deletions SET merging = deletions WHERE words = ?', words) : sql('SELECT 1'),
      sql('SELECT total_changes() AS changes'),
      // A negative number begins a merge of the whole index; a positive one goes on with it.
      sql(`INSERT INTO ${words} (${words}, rank) VALUES ('merge', ?)`, begin ? -pagesPerStep : pagesPerStep),
      sql('SELECT total_changes() AS changes'),
    );
    // The statement itself counts as one change (sqlite.org/fts5.html, 'The merge command').
    return !begin && Number(after?.rows[0]?.changes) - Number(before?.rows[0]?.changes) < 2;
  };

  return {
    /**
     * Merges for at most about `budgetMs`; a later call goes on from there.
     * @returns whether no deleted word is left in the index.
     */
    async merge(budgetMs: number): Promise<boolean> {
      const until = performance.now() + budgetMs;
      const unmerged = () =>
        database.read(
          sql('SELECT words, merging, merged FROM search_deletions WHERE merged < deletions ORDER BY words'),
        );
      for (let rows = await unmerged(); rows.length > 0; rows = await unmerged()) {
        for (const row of rows) {
          const words = text(row.words);
          let done = await step(words, Number(row.merging) === Number(row.merged));
          while (!done) {
            if (performance.now() >= until) return false;
            done = await step(words, false);
          }
          await database.write(sql('UPDATE search_deletions SET merged = merging WHERE words = ?', words));
        }
      }
      return true;
    },
  };
}
