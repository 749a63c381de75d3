import { createHmac, randomUUID } from 'node:crypto';
import type { Store } from '@netlify/blobs';
import {
  type SubmissionKind as Kind,
  submissionKinds as kinds,
} from '../../../src/domain/submissions/submission-kinds.ts';
import { type Database, all, change, insert, one, sql, text } from '../db/database.ts';
import { logError } from '../log.ts';
import type { NewSubmission } from './store.ts';

/** A submission that waits in the blob store until the database works. */
export interface WaitingSubmission extends NewSubmission {
  readonly key: string;
  readonly kind: Kind;
}

/**
 * Stores submissions in the blob store while the database is unreachable. A key is the kind and the id, such as
 * `inquiries/0f…`, so a retry is stored once.
 */
export function spoolStore(blobs: () => Store) {
  let isNew = false;
  return {
    /** Returns whether this process has stored a submission since it last listed them. */
    hasNew: (): boolean => isNew,

    async keep(kind: Kind, submission: NewSubmission): Promise<void> {
      isNew = true;
      await blobs().setJSON(`${kinds[kind].many}/${submission.id}`, submission);
    },

    async keys(): Promise<string[]> {
      isNew = false;
      return (await blobs().list()).blobs.map(({ key }) => key);
    },

    async get(key: string): Promise<WaitingSubmission | null> {
      const submission = (await blobs().get(key, { type: 'json' })) as NewSubmission | null;
      const kind = key.startsWith(`${kinds.application.many}/`) ? 'application' : 'inquiry';
      return submission && { ...submission, key, kind };
    },

    async remove(key: string): Promise<void> {
      await blobs().delete(key);
    },
  };
}

/**
 * Resumes by the id of their application, in a separate blob store. If the blob store fails, a resume waits in the
 * database.
 */
export function resumeStore(database: Database, blobs: () => Store) {
  const waiting = (id: string) =>
    one<{ bytes: ArrayBuffer }>(database, sql`SELECT bytes FROM resumes_waiting WHERE id = ${id}`);
  const removeWaiting = (id: string) => database.write(sql`DELETE FROM resumes_waiting WHERE id = ${id}`);
  return {
    /**
     * Stores a resume. A retry changes nothing.
     * @returns whether this call stored the resume.
     * @throws if both the blob store and the database fail.
     */
    async create(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
      try {
        return (await blobs().set(id, new Blob([bytes]), { onlyIfNew: true })).modified;
      } catch (error) {
        logError('resume not stored in the file storage; it waits in the database', { application: id }, error);
        const row = insert('resumes_waiting', { id, bytes });
        return (await change(database, sql`${row} ON CONFLICT DO NOTHING`)) === 1;
      }
    },

    async get(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
      const bytes = (await waiting(id))?.bytes ?? (await blobs().get(id, { type: 'arrayBuffer' }));
      return bytes && new Uint8Array(bytes);
    },

    async remove(id: string): Promise<void> {
      await blobs().delete(id);
      await removeWaiting(id);
    },

    /**
     * Returns the ids of resumes that have had no application for a day. Such a resume remains if the process ends after it
     * has stored the resume and before it stores the application.
     */
    async orphans(at: Date): Promise<string[]> {
      const ids = JSON.stringify((await blobs().list()).blobs.map(({ key }) => key));
      const alone = sql`SELECT value FROM json_each(${ids}) WHERE value NOT IN (SELECT id FROM submissions)`;
      const isNoted = sql`name LIKE 'orphan %'`;
      const dayAgo = new Date(at.getTime() - 24 * 60 * 60_000).toISOString();
      const [, , old] = await database.write(
        sql`DELETE FROM installation WHERE ${isNoted} AND value NOT IN (${alone})`,
        sql`INSERT INTO installation (name, value, at) SELECT 'orphan ' || value, value, ${at.toISOString()}
            FROM (${alone}) WHERE TRUE ON CONFLICT (name) DO NOTHING`,
        sql`DELETE FROM installation WHERE ${isNoted} AND at <= ${dayAgo} RETURNING value`,
      );
      return old?.rows.map(({ value }) => text(value)) ?? [];
    },

    /** Moves waiting resumes from the database to the blob store, at most 20 in one call. */
    async moveWaiting(): Promise<void> {
      for (const { id } of await all<{ id: string }>(database, sql`SELECT id FROM resumes_waiting LIMIT 20`)) {
        const row = await waiting(id);
        if (row) await blobs().set(id, new Blob([row.bytes]));
        await removeWaiting(id);
      }
    },
  };
}

/** Erasures that were recorded together: keyed hashes of the erased email addresses or ids, and the time. */
interface ErasureBatch {
  readonly batch: string;
  /** The time of the erasure; ISO 8601, UTC. Submissions received later were not erased. */
  readonly at: string;
  readonly hashes: readonly string[];
}

/**
 * Records erasures as keyed hashes, so that a database restored from a backup can repeat the erasures. Each batch is
 * stored in the database and as a blob. A restored database lacks the newer batches, and the blobs still have them.
 */
export function erasureStore(database: Database, blobs: () => Store) {
  const hasher = async (): Promise<(kind: 'email' | 'id', value: string) => string> => {
    const [row] = await database.read(sql`SELECT secret FROM erasure_key`);
    const secret = text(row?.secret);
    return (kind, value) => createHmac('sha256', secret).update(`${kind}:${value.toLowerCase()}`).digest('hex');
  };

  /** Stores a batch in the database. */
  const accept = async ({ batch, at, hashes }: ErasureBatch): Promise<void> => {
    await database.write(
      sql`INSERT INTO erasures (batch, hash, at) SELECT ${batch}, value, ${at}
          FROM json_each(${JSON.stringify(hashes)}) WHERE TRUE ON CONFLICT DO NOTHING`,
    );
  };

  return {
    hasher,
    accept,

    /**
     * Records which email addresses or submissions are erased. An erasure that is recorded before the deletion can be
     * repeated even if the deletion fails.
     */
    async note(kind: 'email' | 'id', values: readonly string[], at: string): Promise<void> {
      const hash = await hasher();
      const batch = `${at.slice(0, 10)}-${randomUUID()}`;
      const noted: ErasureBatch = { batch, at, hashes: values.map((value) => hash(kind, value)) };
      await accept(noted);
      await blobs().setJSON(batch, noted);
    },

    /** Returns whether the data of an email address was erased at a time or later. */
    async hasErased(email: string, since: string): Promise<boolean> {
      const hash = (await hasher())('email', email);
      const found = await database.read(sql`SELECT 1 FROM erasures WHERE hash = ${hash} AND at >= ${since} LIMIT 1`);
      return found.length > 0;
    },

    /** Returns the batches that the blobs have and the database lacks after a restore. */
    async missing(): Promise<ErasureBatch[]> {
      const keys = (await blobs().list()).blobs.map(({ key }) => key);
      const rows = await database.read(
        sql`SELECT value FROM json_each(${JSON.stringify(keys)}) WHERE value NOT IN (SELECT batch FROM erasures)`,
      );
      const found: ErasureBatch[] = [];
      for (const { value } of rows) {
        const batch = (await blobs().get(text(value), { type: 'json' })) as ErasureBatch | null;
        if (batch) found.push(batch);
      }
      return found;
    },
  };
}
