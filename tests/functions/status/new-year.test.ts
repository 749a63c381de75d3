import { expect, test } from 'vitest';
import { keepYear } from '../../../netlify/server/publishing/announce-change.ts';
import { useApi } from '../../support/api/api.ts';

const site = useApi({ buildHook: true });

/**
 * Runs `keepYear` for every minute between two times. @param builtYear the year in which the running code was built.
 * @returns the number of builds requested since the start of the test.
 */
async function minutes(from: string, to: string, builtYear: string | null): Promise<number> {
  for (let at = Date.parse(from); at < Date.parse(to); at += 60_000) {
    await keepYear({ ...site.services, now: () => new Date(at) }, builtYear);
  }
  return site.rebuilds();
}

test('On Netlify, the site requests a build once an hour after the firm’s year ends, until there is a build', async () => {
  expect(await minutes('2026-12-31T20:00:00Z', '2027-01-01T08:00:00Z', '2026')).toBe(0);
  expect(await minutes('2027-01-01T08:00:00Z', '2027-01-01T11:00:00Z', '2026')).toBe(3);
  expect(await minutes('2027-01-01T11:00:00Z', '2027-01-01T13:00:00Z', '2027')).toBe(3);
});

test('The self-hosted server, which updates the year itself, requests no build', async () => {
  expect(await minutes('2027-01-01T08:00:00Z', '2027-01-01T09:00:00Z', null)).toBe(0);
});
