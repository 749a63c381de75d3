import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownPage } from './own-page.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('a page can run its own scripts and styles, and none of another page', () => {
  const policy = `default-src 'self'; script-src 'self' ${hash('own()')} ${hash('other()')}; style-src 'self' ${hash('a{}')} ${hash('b{}')};`;
  const html = '<head><style>b{}</style></head><body><script type="module">own()</script></body>';
  expect(ownPage(policy, html).policy).toBe(
    `default-src 'self'; script-src 'self' ${hash('own()')}; style-src 'self' ${hash('b{}')};`,
  );
});

test('a script is found with any attributes and on several lines', () => {
  const policy = `script-src ${hash('\nfirst()\n')} ${hash('second()')}`;
  const html = `<SCRIPT data-when="a > b" data-who='x">'>\nfirst()\n</SCRIPT><script>second()</script >`;
  expect(ownPage(policy, html).policy).toBe(policy);
});

test('a page without scripts keeps the rest of the policy', () => {
  expect(ownPage(`script-src 'self' ${hash('x')}; img-src 'self'`, '<p>').policy).toBe(
    `script-src 'self'; img-src 'self'`,
  );
});

test('a title that contains <style> or <script> does not remove the page’s own style', () => {
  const policy = `style-src ${hash('a{}')}; script-src ${hash('own()')}`;
  const html =
    '<head><meta content="Why <style> matters"><!-- it\'s --><title>Why <script> matters</title><style>a{}</style></head>' +
    "<p title='</style><script>'>It's</p><script>own()</script>";
  expect(ownPage(policy, html).policy).toBe(policy);
});

test('A page contains the utilities that it uses, and its policy has the hash of this style sheet', () => {
  const sheet = (utilities: string) => `b{}@layer utilities{${utilities}}i{}`;
  const all = sheet('.p-4{padding:1rem}.mt-\\[1\\.5em\\]{margin-top:1.5em}.flex{display:flex}');
  const sent = sheet('.a{padding:1rem}.b{margin-top:1.5em}');
  const policy = `style-src ${hash(all)} ${hash('other{}')}`;
  const page = (css: string, one: string, other: string) =>
    `<style>${css}</style><body class="${one}" data-note="class="><template><i class="${other}"></i></template></body>`;
  expect(ownPage(policy, page(all, 'p-4', 'own mt-[1.5em]'))).toEqual({
    html: page(sent, 'a', 'own b'),
    policy: `style-src ${hash(sent)}`,
  });
});

test('React finds the classes of an island as it renders them', () => {
  const css = '@layer utilities{.flex{display:flex}.p-4{padding:1rem}}';
  const island = '<astro-island><p class="flex p-4"></p></astro-island>';
  const { html } = ownPage(`style-src ${hash(css)}`, `<style>${css}</style>${island}<p class="p-4"></p>`);
  expect(html).toBe(`<style>${css}</style>${island}<p class="p-4"></p>`);
});

test('A style sheet that Astro did not generate does not change, and is not in the policy', () => {
  const page = '<style>@layer utilities{.p-4{padding:1rem}.flex{display:flex}}</style><p class="p-4">';
  expect(ownPage(`style-src ${hash('a{}')}`, page)).toEqual({ html: page, policy: 'style-src' });
});
