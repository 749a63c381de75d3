import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { openPlatform } from '../../../host/data/platform.ts';
import { startHost } from '../../../host/http/server.ts';
import { adminStore } from '../../../netlify/server/auth/store.ts';
import { type Database, type Statement, sql } from '../../../netlify/server/db/database.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import { prepare } from '../../../netlify/server/start.ts';
import { afterAll, beforeAll } from 'vitest';
import { startMailServer } from '../servers/mail-server.ts';
import { hashPassword, quickCost } from '../api/passwords.ts';
import { owner, ownerVariables } from '../samples/visitors.ts';

export type Site = Awaited<ReturnType<typeof startSite>>;

const secret = 'a secret of the tests, long enough';

/**
 * Provides one site for all tests of a file. Call it once, at the top of the file.
 * @param options.apiOnly true for a site without pages, which needs no build.
 */
export function useSite(variables: Record<string, string> = {}, options: { apiOnly?: boolean } = {}): Site {
  // The tests get this object before the site runs.
  const site = {} as Site;
  beforeAll(async () => void Object.assign(site, await startSite(variables, options)));
  afterAll(() => site.close());
  return site;
}

/** Starts the real host with the built site, a new database, a new blob folder and a mail server. */
async function startSite(variables: Record<string, string>, { apiOnly = false }) {
  if (!apiOnly && !existsSync('dist/.build-stamp')) {
    throw new Error('The site is not built. Run `node host/build/build.ts` first.');
  }
  const directory = await mkdtemp(join(tmpdir(), 'site-e2e-'));
  const mail = await startMailServer();
  const firmAddress = 'sales@firm.example';
  const env = readEnv({
    PORT: '0',
    DATA_DIR: directory,
    SESSION_SECRET: secret,
    ...ownerVariables,
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@firm.example',
    CONTACT_EMAIL: firmAddress,
    RATE_LIMITS: 'off',
    ...variables,
  });
  const platform = openPlatform(env, { inspect: true }).then((opened) => ({ ...opened, passwordCost: quickCost }));
  const host = await startHost({
    env,
    root: process.cwd(),
    apiOnly,
    platform,
    prepare: async (ready) => void (await prepare(ready)),
  });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const inDatabase = async (change: (database: Database) => Promise<unknown>): Promise<void> => {
    const database = openInThisThread(join(directory, 'site.db'), { lockWaitMs: 10_000 });
    await change(database);
    database.close();
  };
  const change = (statement: Statement) => inDatabase((database) => database.write(statement));
  return {
    /** Without a slash at the end. */
    url: host.url,
    admin: owner,
    /** The mailbox of the firm. */
    firmAddress,
    mail,
    dataDirectory: directory,
    /** Moves the time of every sign-in back by 11 minutes, so that sensitive steps require a new sign-in. */
    letSignInsAge: () => change(sql`UPDATE sessions SET fresh_at = ${minutesAgo(11)}`),
    /** Moves the first try of every email back by two days, and makes its next try due. */
    letEmailsAge: () => change(sql`UPDATE outbox SET due_at = created_at, first_tried_at = ${minutesAgo(2 * 24 * 60)}`),
    /** Creates another admin. */
    addAdmin: async (email: string) => {
      const added = { email, passwordHash: await hashPassword(owner.password) };
      await inDatabase((database) => adminStore(database).create(added, new Date().toISOString()));
      return { email, password: owner.password };
    },
    close: async () => {
      await host.close();
      await mail.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
