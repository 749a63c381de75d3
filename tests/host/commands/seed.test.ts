import { beforeAll, expect, test } from 'vitest';
import { openPlatform } from '../../../host/data/platform.ts';
import admin from '../../../netlify/functions/admin.ts';
import { deliverAll } from '../../../netlify/server/mail/deliver.ts';
import { connect } from '../../../netlify/server/db/open.ts';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import { sanitizedPost } from '../../../netlify/server/posts/post-html.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import { servicesOf } from '../../../netlify/server/services.ts';
import { postInput } from '../../../src/domain/posts/post-input.ts';
import { signedInAdmin } from '../../support/api/admins.ts';
import { runCommand } from '../../support/host/command.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { call } from '../../support/api/services.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders(beforeAll);

const seed = async (words: string[], variables: Record<string, string> = {}) =>
  (await runCommand('seed', words, { DATA_DIR: folder, ...variables })).output;

test('A demo has posts, files, inquiries and applications that the admin accepts, and sends these people no email', async () => {
  expect(await seed([])).toContain('Added 24 posts, 24 files, 60 inquiries, 20 applications');
  expect(await seed(['--posts', '25'])).toContain('Added 1 posts, 0 files, 0 inquiries, 0 applications');

  const mail = await startMailServer();
  const platform = await openPlatform(
    readEnv({ DATA_DIR: folder, SMTP_URL: mail.url, MAIL_FROM: 'site@firm.example' }),
  );
  lendPlatform(platform);
  const services = servicesOf(platform.env, await connect(platform.env), platform.openBlobStore);
  const headers = await signedInAdmin(services);
  const posts = await (await call(admin, '/api/cms/blog-posts?limit=200', services, { headers })).json();
  expect(posts.counts).toMatchObject({ draft: 4, published: 21 });
  for (const post of posts.data) {
    expect(postInput.safeParse(post).success).toBe(true);
    expect(await sanitizedPost(post.content)).toBe(post.content);
    expect(post.content).not.toContain(post.featuredImage ?? 'no cover');
  }
  const files = await (await call(admin, '/api/cms/media?limit=200', services, { headers })).json();
  expect(files.data).toHaveLength(24);
  for (const { url, originalName } of files.data) {
    const shown = posts.data.filter(({ featuredImage }: { featuredImage: string }) => featuredImage === url);
    for (const { slug } of shown) expect(slug).toContain(originalName.replace(/-\d+\.webp$/, ''));
  }
  for (const path of ['/api/contact/submissions', '/api/contact/applications']) {
    const { data, counts } = await (await call(admin, path, services, { headers })).json();
    for (const status of ['inbox', 'handled', 'quarantine']) expect(counts[status]).toBeGreaterThan(0);
    expect(data.every((one: { email: string }) => one.email.endsWith('.example'))).toBe(true);
  }
  await deliverAll(services);
  services.mailer.close();
  expect(mail.messages).toEqual([]);
  lendPlatform(undefined);
  await platform.close();
  await mail.close();
});

test('The command refuses a site in production, a database of other people, and unknown options', async () => {
  expect(await seed([], { CONTEXT: 'dev', SITE_URL: 'https://www.firm.example' })).toContain('is in production');
  expect(await seed([], { LIBSQL_URL: 'https://database.firm.example' })).toContain('names a database server');
  for (const words of [
    ['--post', '3'],
    ['--posts', 'many'],
  ]) {
    expect(await seed(words)).toContain('node host/commands/seed.ts --posts 10000');
  }
});
