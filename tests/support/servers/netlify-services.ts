import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobsServer } from '@netlify/blobs/server';
import { startHranaServer } from './hrana-server.ts';
import { ownerVariables } from '../samples/visitors.ts';
import { startMailServer } from './mail-server.ts';

export type NetlifyServices = Awaited<ReturnType<typeof startNetlifyServices>>;

const fixedVariables = {
  LIBSQL_AUTH_TOKEN: 'token',
  SESSION_SECRET: 'a secret of the tests, long enough',
  ...ownerVariables,
  MAIL_FROM: 'no-reply@firm.example',
  CONTACT_EMAIL: 'sales@firm.example',
};

/** Starts the services that functions on Netlify use: a database server, a mail server and a blob store. */
export async function startNetlifyServices() {
  const directory = await mkdtemp(join(tmpdir(), 'netlify-'));
  const databaseFile = join(directory, 'remote.db');
  const database = await startHranaServer({ path: databaseFile, authToken: fixedVariables.LIBSQL_AUTH_TOKEN });
  const mail = await startMailServer();
  const blobs = new BlobsServer({ directory: join(directory, 'blobs'), token: 'blobs', logger: () => undefined });
  const edgeURL = `http://127.0.0.1:${(await blobs.start()).port}`;
  const blobsContext = { edgeURL, uncachedEdgeURL: edgeURL, token: 'blobs', siteID: 'site' };
  return {
    databaseFile,
    database,
    mail,
    /** The options that `getStore` needs to connect to the blob store. */
    blobsContext,
    /** The environment variables of a function that uses these services. */
    variables: {
      ...fixedVariables,
      LIBSQL_URL: database.url,
      SMTP_URL: mail.url,
      NETLIFY_BLOBS_CONTEXT: Buffer.from(JSON.stringify(blobsContext)).toString('base64'),
    },
    async close() {
      await mail.close();
      await blobs.stop();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
