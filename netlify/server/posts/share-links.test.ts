import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeExpiredRows } from '../db/expired-rows.ts';
import { type TestServices, testServices } from '../../../tests/support/services.ts';
import { shareLinkOf, sharedBy } from './share-links.ts';

const draft = { email: 'owner@firm.example', key: 'k1' };
const week = 7 * 24 * 3600_000;
let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const tokenOf = (path: string) => path.split('/').at(-1)!;
const create = () => site.services.stores.shareLinks.create(draft, site.services.now());
const share = async () => tokenOf((await shareLinkOf((await create())!, site.services)).path);

test('A link shows its draft for a week, and contains no person’s name', async () => {
  const token = await share();
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('owner');
  site.advance(week - 1_000);
  expect(await sharedBy(token, site.services)).toMatchObject({ ...draft, expiresAt: '2026-03-09T18:30:00.000Z' });
  site.advance(2_000);
  expect(await sharedBy(token, site.services)).toBeNull();
});

test('A changed link shows nothing, and a link stops working when the secret changes', async () => {
  const token = await share();
  expect(await sharedBy(`${token}x`, site.services)).toBeNull();
  const env = { ...site.services.env, SESSION_SECRET: 'another secret, as long as the first' };
  expect(await sharedBy(token, { ...site.services, env })).toBeNull();
});

test('A draft has at most 20 active links, and an expired link does not count', async () => {
  for (let link = 0; link < 20; link += 1) await share();
  expect(await create()).toBeNull();
  site.advance(week + 1_000);
  await share();
  await removeExpiredRows(site.services.database, site.services.now());
  expect(await site.services.stores.shareLinks.listOf(draft, site.services.now().toISOString())).toHaveLength(1);
});
