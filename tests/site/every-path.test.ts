import { Agent, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { type CheerioAPI, load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import home from '../../content/sections/home.json' with { type: 'json' };
import { ask as send } from '../support/host/ask.ts';
import { type RunningHost, sessionToken, startHostProcess } from '../support/host/host-process.ts';
import { owner, ownerVariables } from '../support/samples/visitors.ts';
import { files, pages } from './built-site.ts';

let site: RunningHost;
beforeAll(async () => {
  site = await startHostProcess(undefined, ownerVariables);
});
afterAll(() => site.stop());

const agent = new Agent({ keepAlive: true });
const ask = (path: string, options: RequestOptions = {}, body = '') =>
  send({ port: new URL(site.url).port, path, agent, ...options }, body);

/** The paths of the site: pages, one file of each kind, the API, pages rendered on request, and unknown paths. */
let paths: string[];
beforeAll(async () => {
  const kinds = new Map(
    files.filter((file) => !/\.(html|br|gz)$/.test(file)).map((file) => [/[^.]+$/.exec(file)![0], file]),
  );
  const { paths: api } = JSON.parse((await ask('/api/openapi.json')).text) as { paths: Record<string, object> };
  paths = [
    ...pages.map(({ path }) => path),
    ...[
      '/admin',
      '/admin/settings',
      '/admin/sign-in',
      '/admin/set-up',
      '/blog',
      '/blog/x',
      '/rss.xml',
      '/sitemap-posts.xml',
    ],
    ...kinds.values(),
    ...Object.keys(api).map((path) => path.replaceAll(/\{\w+\}/g, 'x')),
    ...['/uploads/x/x', '/.netlify/images', '/nowhere', '/services/nowhere', '/api/nowhere', '/_astro/nowhere.js'],
  ];
});

/** Returns other spellings of a path that a browser, a proxy or an attacker could send. */
function spellings(path: string): string[] {
  const last = path.lastIndexOf('/') + 1;
  const escaped = `${path.slice(0, last)}%${path.charCodeAt(last).toString(16)}${path.slice(last + 1)}`;
  const added = ['/', '//', '.html', '/index.html', '%ff', '%00'].map((end) => path + end);
  return [`/${path}`, ...added, path.toUpperCase(), ...(path === '/' ? ['/%2f'] : [escaped])].filter(
    (one) => one !== path,
  );
}

function expectSecure(name: string, headers: IncomingHttpHeaders): void {
  const secure = ['content-security-policy', 'strict-transport-security', 'x-content-type-options', 'x-frame-options'];
  for (const header of [...secure, 'referrer-policy', 'cross-origin-opener-policy', 'permissions-policy']) {
    expect(headers[header], `${header} of ${name}`).toBeTruthy();
  }
}

describe('Every path of the site', () => {
  test('has the security headers for every method', async () => {
    expect(paths.length).toBeGreaterThan(100);
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const path of paths) {
      for (const { status, headers } of await Promise.all(methods.map((method) => ask(path, { method })))) {
        expectSecure(path, headers);
        expect([200, 204, 302, 303, 400, 401, 403, 404, 405, 415], path).toContain(status);
      }
    }
  });

  test('redirects every other spelling to itself once, within the site, or returns not found', async () => {
    const check = async (spelling: string) => {
      const { status, headers } = await ask(spelling);
      expectSecure(spelling, headers);
      // A spelling of `/blog/:slug` may be the path of a different post, so the site need not redirect it.
      if (![301, 308].includes(status)) return expect([302, 303, 400, 401, 404, 405], spelling).toContain(status);
      const { location = '' } = headers;
      expect(location, spelling).toMatch(/^\/(?![/\\])/);
      expect([301, 308], `${spelling} leads to ${location}`).not.toContain((await ask(location)).status);
    };
    for (const path of paths) await Promise.all(spellings(path).map(check));
  });

  test('has the Content-Security-Policy of its page, also with a query', async () => {
    for (const { path } of pages) {
      const answers = await Promise.all(['', '?x=1'].map((query) => ask(path + query)));
      for (const { headers } of answers) expect(headers['cross-origin-resource-policy'], path).toBe('same-origin');
      const policies = answers.map(({ headers }) => headers['content-security-policy']);
      expect(policies[0], path).toContain('script-src');
      expect(policies[1], path).toBe(policies[0]);
    }
  });

  test('that is not found is not cached for a year', async () => {
    for (const path of ['/_astro/nowhere.js', '/nowhere', '/services/nowhere', '/api/nowhere', '/uploads/x/x']) {
      const { status, headers } = await ask(path);
      expect([status, headers['cache-control']?.includes('immutable') ?? false], path).toEqual([404, false]);
    }
  });
});

test.each([
  ['/feed.json', '/rss.xml'],
  ['/resources/project-recovery.md', '/resources/project-recovery'],
  ['/services/support.md', '/services/support'],
  ['/templates/roi-model', '/resources/netsuite-roi-guide'],
])('%s, which an earlier version of the site had, leads to %s', async (from, to) => {
  const { status, headers } = await ask(from);
  expect([status, new URL(headers.location ?? '', 'http://site').pathname]).toEqual([301, to]);
});

/** Returns the key, the part and the text of each editable text on a page. */
const partsOf = ($: CheerioAPI) =>
  $('[data-section]')
    .toArray()
    .map((element) => {
      const { 'data-section': key, 'data-section-part': part = 'title' } = element.attribs;
      return { key, part, text: $(element).text() };
    });

describe('The texts of the home page', () => {
  const keys = Object.keys(home) as (keyof typeof home)[];
  const editable = pages.filter(({ $ }) => $('[data-section]').length > 0);

  test.each(keys)('%s is where the content editor says, with every part', (key) => {
    const { href, title, content } = home[key].location as Record<string, string | undefined>;
    const shown = editable.flatMap(({ path, $ }) =>
      $(`[data-section="${key}"]`)
        .toArray()
        .map((element) => ({ path, element })),
    );
    const [path = '', anchor] = href?.split('#') ?? [];
    const here = shown.filter((one) => one.path === path);
    expect(here.map(({ element }) => element.attribs['data-section-part'] ?? 'title').toSorted()).toEqual(
      [content && href && 'content', title && href && 'title'].filter(Boolean),
    );
    if (!href) expect(shown).toEqual([]);
    for (const { element } of anchor ? here : []) {
      expect(
        editable
          .find((one) => one.path === path)!
          .$(element)
          .closest(`#${anchor}`),
      ).toHaveLength(1);
    }
  });

  test('are in the HTML of every page that shows them as soon as an admin saves them; the rest of it stays', async () => {
    const token = await sessionToken(site, owner);
    const before = new Map(
      await Promise.all(editable.map(async ({ path }) => [path, (await ask(path)).text] as const)),
    );
    // A visitor requests pages continuously, and no request may fail.
    let saving = true;
    const failed: string[] = [];
    const visitor = (async () => {
      while (saving) {
        for (const path of ['/', '/contact', '/blog', '/rss.xml']) {
          const answer = await ask(path);
          if (answer.status !== 200 || !answer.text.endsWith('>')) failed.push(`${path}: ${answer.status}`);
        }
      }
    })();
    for (const key of keys) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ title: `<b>${key}</b> & its title`, content: `${key}, "content"` });
      const { status } = await ask(`/api/cms/content/${key}`, { method: 'PUT', headers }, body);
      expect(status, key).toBe(200);
    }
    expect(editable.map(({ path }) => path).toSorted()).toEqual(['/', '/contact']);
    for (const { path } of editable) {
      const shown = async () => load((await ask(path)).text);
      const wanted = partsOf(load(before.get(path)!)).map(({ key, part }) =>
        part === 'content' ? `${key}, "content"` : `${key} & its title`,
      );
      expect(wanted.length).toBeGreaterThan(2);
      const texts = async () => partsOf(await shown()).map(({ text }) => text);
      await expect.poll(texts).toEqual(wanted);
      const rest = ($: CheerioAPI) => $('[data-section]').text('') && $.html();
      expect(rest(await shown()), path).toBe(rest(load(before.get(path)!)));
      // Only a page with texts that may be outdated asks the server for newer ones.
      expect((await shown())('html').attr('id')).toBeUndefined();
    }
    saving = false;
    await visitor;
    expect(failed).toEqual([]);
  });
});
