import { expect, test } from 'vitest';
import { withPolicy } from './render-files.ts';

test('the 404 page contains its own policy', () => {
  const policy =
    "default-src 'self';frame-ancestors 'none';form-action 'self';report-uri /api/csp; script-src 'sha256-abc=';";
  const page = '<!doctype html><html><head lang="en"><meta charset="utf-8"><title>404</title></head></html>';
  expect(withPolicy(page, policy)).toBe(
    '<!doctype html><html><head lang="en"><meta charset="utf-8">' +
      `<meta http-equiv="content-security-policy" content="default-src 'self';form-action 'self';script-src 'sha256-abc=';">` +
      '<title>404</title></head></html>',
  );
});
