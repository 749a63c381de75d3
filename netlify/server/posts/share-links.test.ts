import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeExpiredRows } from '../db/expired-rows.ts';
import { type TestServices, testServices } from '../../../tests/support/api/services.ts';
import { shareLinkStore } from './share-links.ts';

const draft = { email: 'owner@firm.example', key: 'k1' };
const week = 7 * 24 * 3600_000;
let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const tokenOf = (path: string) => path.split('/').at(-1)!;
const links = () => site.services.stores.shareLinks;
const share = async () => tokenOf((await links().create(draft))!.path);

test('A link shows its draft for a week, and contains no person’s name', async () => {
  const token = await share();
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('owner');
  site.advance(week - 1_000);
  expect(await links().open(token)).toMatchObject({ ...draft, expiresAt: '2026-03-09T18:30:00.000Z' });
  site.advance(2_000);
  expect(await links().open(token)).toBeNull();
});

test('A changed link shows nothing, and a link stops working when the secret changes', async () => {
  const token = await share();
  expect(await links().open(`${token}x`)).toBeNull();
  const env = { ...site.services.env, SESSION_SECRET: 'another secret, as long as the first' };
  expect(await shareLinkStore(site.services.database, { ...site.services, env }).open(token)).toBeNull();
});

test('A draft has at most 20 active links, and an expired link does not count', async () => {
  for (let link = 0; link < 20; link += 1) await share();
  expect(await links().create(draft)).toBeNull();
  site.advance(week + 1_000);
  await share();
  await removeExpiredRows(site.services.database, site.services.now());
  expect(await links().listOf(draft)).toHaveLength(1);
});
