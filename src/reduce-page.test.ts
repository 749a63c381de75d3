import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reducePage } from './reduce-page.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('a script is found with any attributes and on several lines', () => {
  const policy = `script-src ${hash('\nfirst()\n')} ${hash('second()')}`;
  const html = `<SCRIPT data-when="a > b" data-who='x">'>\nfirst()\n</SCRIPT><script>second()</script >`;
  expect(reducePage(policy, html).policy).toBe(policy);
});

test('a title that contains <style> or <script> does not remove the page’s own style', () => {
  const policy = `style-src ${hash('a{}')}; script-src ${hash('own()')}`;
  const html =
    '<head><meta content="Why <style> matters"><!-- it\'s --><title>Why <script> matters</title><style>a{}</style></head>' +
    "<p title='</style><script>'>It's</p><script>own()</script>";
  expect(reducePage(policy, html).policy).toBe(policy);
});

test('A page contains the utilities that it uses, and its policy has the hash of this style sheet', () => {
  const sheet = (utilities: string) => `b{}@layer utilities{${utilities}}i{}`;
  const all = sheet(
    String.raw`.p-4{padding:1rem}.mt-\[1\.5em\]{margin-top:1.5em}.flex,.unused{display:flex}.quote{content:"}"}.flex:not(.none){gap:1px}` +
      String.raw`.group:is(.open *) .p-4{margin:0}@media print{.p-4{padding:0}.none{padding:1px}}@supports (x){.none{padding:0}}`,
  );
  const sent = sheet(
    String.raw`.p-4{padding:1rem}.mt-\[1\.5em\]{margin-top:1.5em}.flex,.unused{display:flex}.flex:not(.none){gap:1px}@media print{.p-4{padding:0}}`,
  );
  const policy = `style-src ${hash(all)} ${hash('other{}')}`;
  const page = (css: string) =>
    `<style>${css}</style><body class="p-4 group" data-note="class="><template><i class='mt-[1.5em] flex'></i></template></body>`;
  expect(reducePage(policy, page(all))).toEqual({ html: page(sent), policy: `style-src ${hash(sent)}` });
});

test('A style sheet that Astro did not generate does not change, and is not in the policy', () => {
  const page = '<style>@layer utilities{.p-4{padding:1rem}.flex{display:flex}}</style><p class="p-4">';
  expect(reducePage(`style-src ${hash('a{}')}`, page)).toEqual({ html: page, policy: 'style-src' });
});
