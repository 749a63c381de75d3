import { type Database, sql, text } from '../db/database.ts';

/** When a job last ran, and when it last succeeded; ISO 8601, UTC. */
export interface JobRecord {
  readonly name: string;
  readonly ranAt: string;
  readonly succeededAt: string | null;
}

/** Records the runs of scheduled jobs, so the site status shows when they stop. */
export function jobStore(database: Database) {
  return {
    /** Records one run of all jobs, and deletes the records of jobs that no longer exist. */
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

    /**
     * Returns the time of the last migration (ISO 8601, UTC). If no run of a job is recorded, the site was probably set
     * up at this time, so the jobs should have started soon after it.
     */
    async expectedSince(): Promise<string> {
      const [row] = await database.read(sql('SELECT max(applied_at) AS at FROM migrations'));
      return text(row?.at);
    },
  };
}
