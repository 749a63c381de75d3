import { fileURLToPath } from 'node:url';
import { parseAllHeaders } from '@netlify/headers-parser';
import { expect, test } from 'vitest';
import { withOwnHeaders } from '../../netlify/server/http/respond.ts';
import { securityHeaders } from '../../src/domain/security-headers.ts';

async function rulesOfToml() {
  const { headers } = await parseAllHeaders({
    netlifyConfigPath: fileURLToPath(new URL('../../netlify.toml', import.meta.url)),
    headersFiles: [],
    configHeaders: [],
    minimal: true,
  });
  return headers;
}

test('Functions and pages rendered on request have the same security headers as files', async () => {
  const headers = await rulesOfToml();
  expect(headers.find((rule) => rule.for === '/*')?.values).toEqual(securityHeaders);
});

test('API responses and admin pages are same-origin, and only library files are cross-origin', async () => {
  const own = withOwnHeaders(new Response('{}'), 'id');
  expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const shown = new Response('', { headers: { 'cross-origin-resource-policy': 'cross-origin' } });
  expect(withOwnHeaders(shown, 'id').headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const rules = (await rulesOfToml()).filter(({ values }) => 'Cross-Origin-Resource-Policy' in values);
  expect(rules.map((rule) => rule.for)).toEqual(['/admin', '/admin/*']);
});
