import { type Database, all, sql, text } from '../db/database.ts';
import { putValue } from '../db/installation.ts';

/** A part of the site that fails, or that failed a moment ago. Times are ISO 8601, UTC. */
export interface Fault {
  /** What happened, and what to do. */
  readonly words: string;
  readonly beganAt: string;
  /** When the admins were told. */
  readonly toldAt: string | null;
  /** When the part was first seen working again. */
  readonly clearedAt: string | null;
}

/** The faults by part. */
export type Faults = Readonly<Record<string, Fault>>;

/** What the scheduled work remembers from one minute to the next. Times are ISO 8601, UTC. */
export interface RunRecord {
  readonly ranAt: string;
  readonly hourlyAt: string;
  /** Jobs that delete data wait until this time, because the server's clock jumped. Empty if it did not. */
  readonly deleteFrom: string;
  /** Since when each failing job has failed. */
  readonly failing: Readonly<Record<string, string>>;
  /** What is wrong with file storage, or `ok`. */
  readonly files: string;
  /** The faults of all parts except the database. */
  readonly faults: Faults;
}

export interface LastRun extends RunRecord {
  /** Whether the purge of a cache tag has failed and did not succeed since. */
  readonly hasUnpurged: boolean;
  /** The last request for a build. One that waits or failed is repeated. Null if there was none. */
  readonly build: 'requested' | 'waits' | 'failed' | null;
}

/** A cache tag that could not be purged. */
interface Unpurged {
  readonly tag: string;
  /** When its purge failed last; ISO 8601, UTC. */
  readonly at: string;
}

const isUnpurged = sql`name LIKE 'unpurged %'`;

/** The record of the last run of the scheduled work, in one row. */
export function runStore(database: Database) {
  return {
    async last(): Promise<LastRun | null> {
      const [row] = await database.read(
        sql`SELECT value, EXISTS (SELECT 1 FROM installation WHERE ${isUnpurged}) AS unpurged,
              (SELECT value FROM installation WHERE name = 'build') AS build
            FROM installation WHERE name = 'jobs'`,
      );
      if (!row) return null;
      const build = row.build as LastRun['build'];
      return { ...(JSON.parse(text(row.value)) as RunRecord), hasUnpurged: row.unpurged === 1, build };
    },

    async put(record: RunRecord): Promise<void> {
      await database.write(putValue('jobs', JSON.stringify(record), record.ranAt));
    },

    /** Remembers tags that could not be purged, for a later run. */
    async noteUnpurged(tags: readonly string[], at: string): Promise<void> {
      await database.write(...tags.map((tag) => putValue(`unpurged ${tag}`, tag, at)));
    },

    unpurged: () => all<Unpurged>(database, sql`SELECT value AS tag, at FROM installation WHERE ${isUnpurged}`),

    /** Forgets tags that were purged, except those whose purge has failed again since. */
    async forgetUnpurged(purged: readonly Unpurged[]): Promise<void> {
      await database.write(
        ...purged.map(({ tag, at }) => sql`DELETE FROM installation WHERE name = ${`unpurged ${tag}`} AND at = ${at}`),
      );
    },

    /**
     * Returns true if a build may be requested now. Otherwise, the last request was less than `pauseMs` milliseconds ago,
     * and the build waits.
     */
    async beginBuild(now: Date, pauseMs: number): Promise<boolean> {
      const at = now.toISOString();
      const before = new Date(now.getTime() - pauseMs).toISOString();
      const [done] = await database.write(
        putValue('build', 'requested', at, sql`at NOT BETWEEN ${before} AND ${at}`),
        sql`UPDATE installation SET value = 'waits' WHERE name = 'build' AND value = 'requested' AND changes() = 0`,
      );
      return done?.rowsAffected === 1;
    },

    async noteFailedBuild(): Promise<void> {
      await database.write(sql`UPDATE installation SET value = 'failed' WHERE name = 'build'`);
    },

    /** Returns when the site was probably set up. The first run should have come soon after this time. */
    async expectedSince(): Promise<string> {
      const [row] = await database.read(sql`SELECT max(applied_at) AS at FROM migrations`);
      return text(row?.at);
    },
  };
}
