import { expect, test } from 'vitest';
import { signedIn, useAdmin } from '../support/inbox.ts';

const { browser, site, session } = useAdmin();

/** Ways to turn text into elements or code. An attacker could use them through a flaw in one of the page's scripts. */
const sinks = {
  innerHTML: () => void (document.createElement('div').innerHTML = '<b>x</b>'),
  insertAdjacentHTML: () => document.createElement('div').insertAdjacentHTML('beforeend', '<b>x</b>'),
  DOMParser: () => void new DOMParser().parseFromString('<b>x</b>', 'text/html'),
  script: () => void (document.createElement('script').src = '/_astro/any.js'),
};

test('No text becomes an element or code in the admin area', async () => {
  const refused: string[] = [];
  const page = await signedIn(browser, site, session, { expected: [/TrustedHTML|TrustedScript|TrustedTypePolicy/] });
  for (const path of ['/admin', '/admin/settings']) {
    await page.goto(path);
    for (const [name, use] of Object.entries(sinks)) {
      await page.evaluate(use).catch(() => refused.push(`${path} ${name}`));
    }
    const another = page.evaluate(() =>
      (
        window as unknown as { trustedTypes: { createPolicy: (name: string, rules: object) => unknown } }
      ).trustedTypes.createPolicy('another', {}),
    );
    await another.then(
      () => undefined,
      () => refused.push(`${path} another policy`),
    );
  }
  const all = [...Object.keys(sinks), 'another policy'];
  expect(refused).toEqual(['/admin', '/admin/settings'].flatMap((path) => all.map((name) => `${path} ${name}`)));
});

test('An injected script on a public page does not run', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: ['Content Security Policy'] });
  await page.goto('/contact');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken"';
    document.head.append(script);
  });
  expect(await page.title()).not.toBe('taken');
});
