import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import sharp from 'sharp';
import blogPosts from '../../netlify/functions/blog-posts.ts';
import contactApplications from '../../netlify/functions/contact-applications.ts';
import contactSubmissions from '../../netlify/functions/contact-submissions.ts';
import content from '../../netlify/functions/sections.ts';
import media from '../../netlify/functions/media.ts';
import uploadedFile from '../../netlify/functions/uploaded-file.ts';
import { connect } from '../../netlify/server/platform/connect-database.ts';
import { deliverAll } from '../../netlify/server/outbox/deliver.ts';
import type { Handler } from '../../netlify/server/endpoint/endpoint.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { sanitizedPost } from '../../netlify/server/posts/post-html.ts';
import { type Services, servicesOf } from '../../netlify/server/services.ts';
import { readEnv } from '../../netlify/server/runtime/env.ts';
import { applicationFields } from '../../src/domain/application.ts';
import { inputSchema } from '../../src/domain/field-schema.ts';
import { inquiryFields } from '../../src/domain/inquiry.ts';
import { postInput } from '../../src/domain/post-input.ts';
import { signedInAdmin } from '../../tests/support/admins.ts';
import { startMailServer } from '../../tests/support/mail-server.ts';
import { call, testServices } from '../../tests/support/services.ts';
import { type OwnPlatform, openPlatform } from '../data/platform.ts';
import { seedSite } from './seed.ts';
import { commandEnvironment } from '../../tests/support/command.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

interface Said {
  readonly out: string;
  readonly failed: boolean;
}

async function seed(words: string[], variables: Record<string, string>): Promise<Said> {
  const env = commandEnvironment(variables);
  return await promisify(execFile)(process.execPath, ['host/seed/command.ts', ...words], { env }).then(
    ({ stdout, stderr }) => ({ out: stdout + stderr, failed: false }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ out: stdout + stderr, failed: true }),
  );
}

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seed-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('An empty site', () => {
  let said: Said;
  let platform: OwnPlatform;
  let services: Services;
  let headers: Record<string, string>;
  beforeAll(async () => {
    said = await seed([], { DATA_DIR: directory });
    platform = await openPlatform(readEnv({ DATA_DIR: directory }));
    lendPlatform(platform);
    services = servicesOf(platform.env, await connect(platform.env), platform.openBlobStore);
    headers = await signedInAdmin(services);
  });
  afterAll(async () => {
    lendPlatform(undefined);
    await platform.close();
  });
  const ask = async (handler: Handler, path: string) => await (await call(handler, path, services, { headers })).json();

  test('is filled by one command, which prints a summary', () => {
    expect(said).toMatchObject({ failed: false });
    expect(said.out).toMatch(/24 files\n +24 posts\n[\s\S]* 60 inquiries/);
    expect(said.out).toContain('No email is sent');
  });

  test('gets posts that follow the editor’s rules, with all kinds of content, and drafts', async () => {
    const { data, counts } = await ask(blogPosts, '/api/cms/blog-posts?limit=200');
    expect(counts).toMatchObject({ draft: 4, published: 20, trash: 0 });
    for (const post of data) {
      expect(postInput.safeParse(post).success).toBe(true);
      expect(await sanitizedPost(post.content)).toBe(post.content);
      expect(Date.parse(post.createdAt)).toBeLessThan(Date.now());
    }
    const all = data.map((post: { content: string }) => post.content).join('');
    for (const part of ['<h2>', '<ul>', '<table>', '<blockquote>', '<a href="/', '<img src="/uploads/']) {
      expect(all).toContain(part);
    }
    expect(new Set(data.map((post: { slug: string }) => post.slug)).size).toBe(24);
  });

  test('gets files that can be opened: pictures of several types, documents, and some files without a description', async () => {
    const { data } = await ask(media, '/api/cms/media?limit=200');
    expect(data).toHaveLength(24);
    const types = new Set<string>();
    for (const file of data) {
      types.add(file.mimeType);
      const bytes = Buffer.from(await (await call(uploadedFile, file.url, services)).arrayBuffer());
      expect(bytes.byteLength).toBe(file.size);
      if (file.width !== null) expect((await sharp(bytes).metadata()).width).toBe(file.width);
    }
    expect([...types].sort()).toEqual(['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'text/plain']);
    expect(data.some((file: { alt: string; width: number }) => file.width !== null && file.alt === '')).toBe(true);
  });

  test('gets inquiries and applications in every list, from people with addresses that do not exist', async () => {
    for (const [handler, path, schema] of [
      [contactSubmissions, '/api/contact/submissions', inputSchema(inquiryFields)],
      [contactApplications, '/api/contact/applications', inputSchema(applicationFields)],
    ] as const) {
      let notes = 0;
      for (const status of ['inbox', 'handled', 'quarantine']) {
        const { data, counts } = await ask(handler, `${path}?status=${status}&limit=200`);
        expect(counts[status]).toBeGreaterThan(0);
        for (const one of data) {
          expect(schema.safeParse(one).success).toBe(true);
          expect(one.email).toMatch(/^[a-z.\d]+@[a-z-]+\.example$/);
          expect(one.suspicions.length > 0).toBe(status === 'quarantine');
          expect(one.delivery.sender.status).toBe(status === 'quarantine' ? 'none' : 'sent');
          if (one.note !== '') notes += 1;
        }
      }
      expect(notes).toBeGreaterThan(0);
    }
  });

  test('gets resumes that are real documents', async () => {
    const { data } = await ask(contactApplications, '/api/contact/applications');
    const path = `/api/contact/applications/${data[0].id}/resume`;
    const resume = Buffer.from(await (await call(contactApplications, path, services, { headers })).arrayBuffer());
    expect(resume.byteLength).toBe(data[0].resume.size);
    const text = resume.toString('latin1');
    expect(text).toContain(`(${data[0].fullName}) Tj`);
    // PDF readers locate the objects of a file by the table at its end.
    const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(table, table + 4)).toBe('xref');
    for (const [index, [, offset]] of [...text.matchAll(/^(\d{10}) 00000 n $/gm)].entries()) {
      expect(text.slice(Number(offset))).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
    }
  });

  test('gets the texts of the home page', async () => {
    expect((await ask(content, '/api/cms/content/hero_title')).data.title).not.toBe('');
  });

  test('sends no email to these people after a mail server is set up', async () => {
    const mail = await startMailServer();
    const env = readEnv({
      DATA_DIR: directory,
      SMTP_URL: mail.url,
      MAIL_FROM: 'site@firm.example',
      CONTACT_EMAIL: 'sales@firm.example',
      HR_EMAIL: 'hr@firm.example',
    });
    const mailing = servicesOf(env, services.database, platform.openBlobStore);
    await deliverAll(mailing);
    mailing.mailer.close();
    expect(mail.messages).toEqual([]);
    await mail.close();
  });

  test('does not change if the same data is generated again, and gets more data with another seed', async () => {
    const { data } = await ask(contactSubmissions, '/api/contact/submissions');
    await services.stores.inquiries.annotate(data[0].id, 'Written by an admin since');
    expect((await seed([], { DATA_DIR: directory })).out).toContain('Nothing was added');
    expect((await services.stores.inquiries.get(data[0].id))?.note).toBe('Written by an admin since');
    const words = ['--random-seed', '2', '--posts', '3', '--media', '0', '--inquiries', '5', '--applications', '0'];
    expect((await seed(words, { DATA_DIR: directory })).out).toMatch(/ 0 files\n +3 posts\n/);
    expect((await ask(blogPosts, '/api/cms/blog-posts')).counts).toMatchObject({ draft: 4, published: 23 });
  });
});

test('Two sites with the same seed and the same clock have the same texts', async () => {
  const filled = async () => {
    const site = await testServices();
    await seedSite({ posts: 8, media: 0, inquiries: 8, applications: 3 }, 5, site.services);
    const { posts, inquiries, applications } = site.services.stores;
    const everything = [
      await posts.published({ limit: 50, view: 'full' }),
      await inquiries.list({ q: '', sort: '-createdAt', status: 'inbox', limit: 50 }),
      await applications.list({ q: '', sort: '-createdAt', status: 'inbox', limit: 50 }),
    ];
    await site.close();
    return everything;
  };
  expect(await filled()).toEqual(await filled());
});

describe('The seed command is refused', () => {
  const production = {
    SESSION_SECRET: 'a'.repeat(40),
    ADMIN_EMAIL: 'a@firm.example',
    ADMIN_PASSWORD: 'long enough for it',
  };
  test.for([
    ['on a site in production', { CONTEXT: 'production', ...production }],
    ['on a site with a public URL', { CONTEXT: 'dev', SITE_URL: 'https://www.firm.example' }],
    ['for a database server without --yes', { LIBSQL_URL: 'https://database.firm.example' }],
  ] as const)('%s', async ([, variables]) => {
    const words = 'LIBSQL_URL' in variables ? [] : ['--yes'];
    const said = await seed(words, { DATA_DIR: join(directory, 'none'), ...variables });
    expect(said.failed).toBe(true);
    expect(said.out).toMatch(/in production|add --yes/);
  });

  test('with an unknown option, and prints the available options', async () => {
    const unknown = await seed(['--post', '3'], { DATA_DIR: join(directory, 'none') });
    expect(unknown).toMatchObject({ failed: true, out: expect.stringContaining('npm run seed -- --posts 10000') });
    const said = await seed(['--posts', 'many'], { DATA_DIR: join(directory, 'none') });
    expect(said).toMatchObject({ failed: true, out: '--posts must be a whole number up to 1,000,000, not many.\n' });
  });
});
