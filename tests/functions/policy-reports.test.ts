import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import policyReports from '../../netlify/functions/policy-reports.ts';
import siteStatus from '../../netlify/functions/site-status.ts';
import { mostPolicyReports } from '../../netlify/server/stores/policy-reports.ts';
import { signedInAdmin } from '../support/admins.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

interface Violation {
  directive?: string;
  blocked?: string;
  page?: string;
}

const send = (body: unknown, type = 'application/csp-report') =>
  call(policyReports, '/api/csp', site.services, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type },
  });
const report = ({
  directive = 'script-src-elem',
  blocked = 'https://evil.example/x.js?visitor=ann@firm.example',
  page = '/',
}: Violation) =>
  send({
    'csp-report': {
      'document-uri': new URL(page, 'http://site.test').href,
      'effective-directive': directive,
      'blocked-uri': blocked,
      'script-sample': 'what the visitor typed',
    },
  });
const counted = async () => {
  const headers = await signedInAdmin(site.services);
  return (await (await call(siteStatus, '/api/settings/status', site.services, { headers })).json()).policyReports;
};
const stored = () => site.services.database.read({ sql: 'SELECT * FROM policy_reports', args: [] });

describe('A report about blocked content', () => {
  test('is counted by directive, origin and kind of page, and the admin sees the latest', async () => {
    expect((await report({})).status).toBe(204);
    site.advance(60_000);
    expect((await report({})).status).toBe(204);
    expect(await counted()).toEqual({
      count: 2,
      latest: [
        {
          directive: 'script-src-elem',
          blocked: 'https://evil.example',
          page: '/',
          count: 2,
          lastAt: '2026-03-02T18:31:00.000Z',
        },
      ],
    });
  });

  test('is also accepted in the format of the Reporting API', async () => {
    const body = {
      documentURL: 'http://site.test/blog/a-post',
      effectiveDirective: 'require-trusted-types-for',
      blockedURL: 'trusted-types-sink',
    };
    await send([{ type: 'csp-violation', body }], 'application/reports+json');
    expect((await counted()).latest).toMatchObject([{ blocked: 'trusted-types-sink', page: '/blog/*' }]);
  });

  test('is stored without personal data: no query, no key, no sample', async () => {
    await report({ page: '/blog/preview/a-secret-key?email=ann@firm.example#x' });
    await report({ page: '/Ann%20Whitfield' });
    expect(JSON.stringify(await stored())).not.toMatch(/secret|ann|Ann|typed|visitor/);
  });

  test.for([
    ['from an extension', { blocked: 'chrome-extension://abcdef' }],
    ['about another site', { page: 'https://other.example/' }],
    ['without a valid URL', { blocked: 'nonsense' }],
    ['without a valid directive', { directive: '<script>' }],
  ] as const)('%s is ignored', async ([, violation]) => {
    expect((await report(violation)).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  test('takes a limited number of rows, even if every report is different', async () => {
    for (let n = 0; n < mostPolicyReports + 50; n += 1) await report({ blocked: `https://h${n}.example` });
    expect(await stored()).toHaveLength(mostPolicyReports);
    expect((await counted()).count).toBe(mostPolicyReports + 50);
    await report({ blocked: 'https://h1.example' });
    expect(await stored()).toContainEqual(expect.objectContaining({ blocked: 'https://h1.example', count: 2 }));
  });

  test('is deleted after 30 days', async () => {
    await report({});
    site.advance(31 * 24 * 60 * 60_000);
    await report({ blocked: 'inline' });
    expect(await stored()).toMatchObject([{ blocked: 'inline' }]);
  });

  test('is refused above 8 KB, with another type, or with invalid JSON', async () => {
    const answers = [await send('x'.repeat(9_000)), await send('{}', 'text/plain'), await send('{')];
    expect(answers.map(({ status }) => status)).toEqual([413, 415, 400]);
    for (const body of [null, [], [null], 1, {}, { 'csp-report': null }, [{ body: null }]]) {
      expect((await send(body)).status).toBe(204);
    }
    expect(await stored()).toEqual([]);
  });
});
