import { expect, test } from 'vitest';
import { headersBy } from '../../../host/http/rules.ts';
import { withOwnHeaders } from '../../../netlify/server/http/respond.ts';
import { fileHeaders } from '../../../src/domain/site/security-headers.ts';

const headersOf = headersBy(fileHeaders);

test('Responses and pages are same-origin; library files, icons and social pictures are cross-origin', async () => {
  const own = withOwnHeaders(new Response('{}'), 'id');
  expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const shown = new Response('', { headers: { 'cross-origin-resource-policy': 'cross-origin' } });
  expect(withOwnHeaders(shown, 'id').headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const policyOf = (path: string) => headersOf(path).get('cross-origin-resource-policy');
  for (const path of ['/', '/contact', '/admin', '/admin/settings', '/_astro/later.js', '/templates/roi-model.csv']) {
    expect(policyOf(path), path).toBe('same-origin');
  }
  for (const path of ['/favicon.ico', '/favicon.svg', '/favicon.png', '/apple-touch-icon.png', '/social/home.png']) {
    expect(policyOf(path), path).toBe('cross-origin');
  }
});

test('The icon for older clients has a type that browsers accept', () => {
  expect(headersOf('/favicon.ico').get('content-type')).toBe('image/x-icon');
});

test('The page for a site that is down may use its own styles', () => {
  expect(headersOf('/unavailable').get('content-security-policy')).toContain('style-src');
});
