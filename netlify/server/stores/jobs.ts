import { type Database, sql, text } from '../db/database.ts';

/** When a job last ran, and when it last ended well; ISO 8601, UTC. */
export interface JobRecord {
  readonly name: string;
  readonly ranAt: string;
  readonly succeededAt: string | null;
}

/** The runs of the work that nobody asks for, so that one can see when it stops. */
export function jobStore(database: Database) {
  return {
    /** Notes one run of all jobs; those that are no longer among them are forgotten. */
    async ran(outcomes: readonly { name: string; succeeded: boolean }[], at: string): Promise<void> {
      const names = JSON.stringify(outcomes.map(({ name }) => name));
      await database.write(
        sql('DELETE FROM jobs WHERE name NOT IN (SELECT value FROM json_each(?))', names),
        ...outcomes.map(({ name, succeeded }) =>
          sql(
            `INSERT INTO jobs (name, ran_at, succeeded_at) VALUES (?, ?, ?)
             ON CONFLICT (name) DO UPDATE SET ran_at = excluded.ran_at,
               succeeded_at = coalesce(excluded.succeeded_at, jobs.succeeded_at)`,
            name,
            at,
            succeeded ? at : null,
          ),
        ),
      );
    },

    async list(): Promise<JobRecord[]> {
      const rows = await database.read(sql('SELECT name, ran_at, succeeded_at FROM jobs ORDER BY name'));
      return rows.map((row) => ({
        name: text(row.name),
        ranAt: text(row.ran_at),
        succeededAt: row.succeeded_at === null ? null : text(row.succeeded_at),
      }));
    },

    /** Since when there could have been a run at all: when the schema was last changed. */
    async expectedSince(): Promise<string> {
      const [row] = await database.read(sql('SELECT max(applied_at) AS at FROM migrations'));
      return text(row?.at);
    },
  };
}
