import { createClient } from '@libsql/client';
import { getStore } from '@netlify/blobs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import admin from '../../../netlify/functions/admin.ts';
import contact from '../../../netlify/functions/contact.ts';
import login from '../../../netlify/functions/login.ts';
import uploads from '../../../netlify/functions/uploads.ts';
import { migrate } from '../../../netlify/server/db/migrate.ts';
import { remoteDatabase } from '../../../netlify/server/db/database.ts';
import type { Handler } from '../../../netlify/server/http/endpoint.ts';
import { type Platform, lendPlatform } from '../../../netlify/server/platform.ts';
import { services } from '../../../netlify/server/services.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { type NetlifyServices, startNetlifyServices } from '../../support/servers/netlify-services.ts';
import { quickCost } from '../../support/api/passwords.ts';
import { call } from '../../support/api/services.ts';

let site: NetlifyServices;
beforeEach(async () => {
  site = await startNetlifyServices();
  for (const [name, value] of Object.entries({ ...site.variables, SITE_URL: 'https://www.firm.example' })) {
    vi.stubEnv(name, value);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  lendPlatform(undefined);
  await site.close();
});

/** Returns the functions of a new deploy in one of Netlify's contexts. */
function deploy(context: string) {
  // Each deploy opens its own services, because the services belong to the platform object.
  const platform = { passwordCost: quickCost } as Platform;
  const deploy = { context, id: 'deploy', published: context === 'production' };
  const ask = async (handler: Handler, path: string, json?: object): Promise<Response> => {
    lendPlatform(platform);
    return await call(handler, path, undefined, { deploy, ...(json && { json }) });
  };
  return {
    read: () => ask(admin, '/api/cms/blog-posts/published'),
    upload: () => ask(uploads, '/api/uploads', { name: 'a.png', size: 10, type: 'image/png', purpose: 'resume' }),
    inquire: () => ask(contact, '/api/contact', anInquiry()),
    signIn: () => ask(login, '/api/login', { email: 'owner@firm.example', password: 'correct horse battery' }),
    blobs: async (name: string) => {
      lendPlatform(platform);
      return (await services({ deploy })).blobs(name);
    },
  };
}

/**
 * Returns a deploy after a first request, which migrates the database. An inquiry does not wait for a migration, so an
 * inquiry as the first request could be stored outside the database.
 */
async function migrated(context: string) {
  const deployed = deploy(context);
  expect((await deployed.read()).status).toBe(200);
  return deployed;
}

const rows = async (statement: string) => {
  const client = createClient({ url: `file:${site.databaseFile}` });
  const { rows: found } = await client.execute(statement);
  client.close();
  return found;
};
const inquiries = async () => (await rows('SELECT id FROM submissions')).length;

const mayNot = 'is not the production site, but it is connected to the production database';

describe('A deploy preview with production’s variables', () => {
  test.for(['deploy-preview', 'dev'])(
    '(%s) neither reads nor changes production’s data, and says why',
    async (context) => {
      const production = await migrated('production');
      expect((await production.inquire()).status).toBe(201);
      expect(site.mail.messages.length).toBeGreaterThan(0);
      const before = site.mail.messages.length;

      const preview = deploy(context);
      // A local server (`dev`) stores the inquiry outside the database. All other deploys refuse it.
      expect((await preview.inquire()).status).toBe(context === 'dev' ? 201 : 503);
      for (const answer of [await preview.signIn(), await preview.read(), await preview.upload()]) {
        expect(answer.status).toBe(503);
        expect((await answer.json()).message).toContain(mayNot);
      }
      expect(takeLog().join()).toContain('deploy not allowed to use its database');
      expect(await inquiries()).toBe(1);
      expect(site.mail.messages).toHaveLength(before);
      expect((await production.inquire()).status).toBe(201);
    },
  );

  test('changes nothing in a production database from an earlier release', async () => {
    const client = createClient({ url: site.database.url, authToken: 'token' });
    await migrate(remoteDatabase(client));
    client.close();
    const answer = await deploy('deploy-preview').inquire();
    expect(answer.status).toBe(503);
    expect((await answer.json()).message).toContain('may be the production database');
    takeLog();
    expect(await rows('SELECT * FROM installation')).toHaveLength(0);
    expect(await inquiries()).toBe(0);
    expect((await (await migrated('production')).inquire()).status).toBe(201);
    expect(await inquiries()).toBe(1);
  });

  test('is refused while its database does not respond, and stores nothing', async () => {
    await site.database.setFault({ kind: 'refuse' });
    const answer = await deploy('deploy-preview').inquire();
    expect(answer.status).toBeGreaterThanOrEqual(500);
    takeLog();
    const store = getStore({ ...site.blobsContext, name: 'spool' });
    expect((await store.list()).blobs).toEqual([]);
  });
});

describe('A deploy preview with its own database', () => {
  test('works, with several functions at the same time, and sends no email', async () => {
    const preview = await migrated('deploy-preview');
    const answers = await Promise.all([preview.inquire(), preview.signIn()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(await inquiries()).toBe(1);
    expect(site.mail.messages).toEqual([]);
    expect((await (await migrated('branch-deploy')).inquire()).status).toBe(201);
  });

  test('is refused when production takes over the database', async () => {
    expect((await (await migrated('deploy-preview')).inquire()).status).toBe(201);
    expect((await (await migrated('production')).inquire()).status).toBe(201);
    const answer = await deploy('deploy-preview').inquire();
    expect((await answer.json()).message).toContain(mayNot);
    takeLog();
  });

  test('has its own blob stores', async () => {
    await (await deploy('deploy-preview').blobs('resumes')).set('resume', 'of a preview');
    const names = ['resumes', 'preview-deploy-preview-resumes'];
    const found = await Promise.all(names.map((name) => getStore({ ...site.blobsContext, name }).get('resume')));
    expect(found).toEqual([null, 'of a preview']);
    expect(await (await deploy('production').blobs('resumes')).get('resume')).toBeNull();
  });
});
