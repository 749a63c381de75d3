import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownPolicy } from './page-policy.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('a page may run its own scripts and styles, and none of another page', () => {
  const policy = `default-src 'self'; script-src 'self' ${hash('own()')} ${hash('other()')}; style-src 'self' ${hash('a{}')} ${hash('b{}')};`;
  const html = '<head><style>b{}</style></head><body><script type="module">own()</script></body>';
  expect(ownPolicy(policy, html)).toBe(
    `default-src 'self'; script-src 'self' ${hash('own()')}; style-src 'self' ${hash('b{}')};`,
  );
});

test('a script is found with any attributes and on several lines', () => {
  const policy = `script-src ${hash('\nfirst()\n')} ${hash('second()')}`;
  const html = `<SCRIPT data-when="a > b" data-who='x">'>\nfirst()\n</SCRIPT><script>second()</script >`;
  expect(ownPolicy(policy, html)).toBe(policy);
});

test('a page without any keeps the rest of the policy', () => {
  expect(ownPolicy(`script-src 'self' ${hash('x')}; img-src 'self'`, '<p>')).toBe(`script-src 'self'; img-src 'self'`);
});

test('a title that speaks of <style> or <script> leaves the page its own style', () => {
  const policy = `style-src ${hash('a{}')}; script-src ${hash('own()')}`;
  const html =
    '<head><meta content="Why <style> matters"><!-- it\'s --><title>Why <script> matters</title><style>a{}</style></head>' +
    "<p title='</style><script>'>It's</p><script>own()</script>";
  expect(ownPolicy(policy, html)).toBe(policy);
});
