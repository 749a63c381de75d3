import { fileURLToPath } from 'node:url';
import { parseAllHeaders } from '@netlify/headers-parser';
import { expect, test } from 'vitest';
import { securityHeaders } from '../../src/domain/security-headers.ts';

test('Functions and pages rendered on request have the headers that netlify.toml gives to files', async () => {
  const { headers } = await parseAllHeaders({
    netlifyConfigPath: fileURLToPath(new URL('../../netlify.toml', import.meta.url)),
    headersFiles: [],
    configHeaders: [],
    minimal: true,
  });
  expect(headers.find((rule) => rule.for === '/*')?.values).toEqual(securityHeaders);
});
