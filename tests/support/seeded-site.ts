import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '../../netlify/server/runtime/env.ts';
import { fillSite } from '../../host/seed/fill.ts';
import { type RunningHost, startHostProcess } from './host-process.ts';
import { type Session, startSession } from './inbox.ts';

const admin = { email: 'owner@firm.example', password: 'a long sentence about rivers' };

export interface SeededSite extends RunningHost {
  /** The cookies of a browser in which an admin has signed in. */
  readonly session: Session;
}

/**
 * Starts the host with the sample data of `npm run seed`.
 * @param directory the checkout whose build is served; by default this one.
 */
export async function startSeededSite(directory = process.cwd()): Promise<SeededSite> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'seeded-'));
  const amounts = { posts: 200, media: 60, inquiries: 200, applications: 40 };
  await fillSite(readEnv({ DATA_DIR: dataDirectory }), amounts, 1, () => undefined);
  const variables = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  const host = await startHostProcess(dataDirectory, variables, undefined, `cd '${directory}'`);
  return { ...host, session: await startSession({ url: host.url, admin }) };
}
