import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { runCommand } from '../../support/host/command.ts';
import { sessionToken, startHostProcess } from '../../support/host/host-process.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();

/** The admin of the earlier site. */
const admin = { email: 'owner@firm.example', password: 'another sentence about rivers' };

/**
 * `earlier-site.tar.gz` is a backup of a site that ran this project's version 0.1.0 with 27 migrations. Every table has
 * at least one row.
 */
test('The backup of a site with an earlier version is restored, and its inquiry, post and picture are there', async () => {
  const DATA_DIR = join(folder, 'data');
  const restored = await runCommand('restore', ['tests/support/earlier-site.tar.gz'], { DATA_DIR, PORT: '0' });
  expect(restored.output).toContain('is restored to 2026-11-25');
  const host = await startHostProcess(DATA_DIR);
  onTestFinished(() => host.stop());
  const authorization = `Bearer ${await sessionToken(host, admin)}`;
  const inquiries = await fetch(`${host.url}${apiPaths.inquiries.list}?status=handled`, {
    headers: { authorization },
  });
  expect(await inquiries.json()).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ fullName: 'Dana Whitfield', note: 'Called on Monday. Wants a proposal.' }),
    ]),
  });
  // The post had another address before its title was changed.
  const post = await fetch(`${host.url}/blog/month-end-in-three-days`);
  expect(post.url).toBe(`${host.url}/blog/month-end-in-two-days`);
  const text = await post.text();
  expect(text).toContain('How a controller closed in three days.');
  const [address = ''] = /\/uploads\/[\w-]+\/warehouse\.png/.exec(text) ?? [];
  const picture = await fetch(host.url + address);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect((await picture.arrayBuffer()).byteLength).toBe(4337);
});
