import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownSections } from '../../../netlify/server/sections/first-sections.ts';
import { takeLog } from '../../support/console.ts';
import { type Files, builtFiles } from '../../../host/http/files.ts';
import { livePages } from '../../../host/http/live-pages.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

const footer = '<p>© <span class="figures">2026</span> Firm, LLC</p>';
const filler = `<p>${'The ledger agrees. '.repeat(100)}</p>`;
const home = `<!DOCTYPE html><html id="now" lang="en-US"><head><title>A &lt;p data-section="hero_title"&gt;</title></head><body>
<h1 class="line" data-section="hero_title"> Built &amp; old </h1>
<p data-section="hero_subtitle">Line</p><p data-section="hero_subtitle" data-section-part="content">Sentence</p>
${filler}${footer}</body></html>`;
const terms = `<!doctype html><html lang="en-US"><body>${filler}${footer}</body></html>`;

makeFolders();
let files: Files;
let live: ReturnType<typeof livePages>;
let words: Record<string, { title: string; content: string }>;
let failure: Error | null;
let today: Date;
let changes: number;

beforeEach(async () => {
  for (const [name, html] of Object.entries({ 'index.html': home, 'contact.html': terms, 'terms.html': terms })) {
    await writeFile(join(folder, name), html);
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(html));
    await writeFile(join(folder, `${name}.gz`), gzipSync(html));
  }
  await writeFile(join(folder, '404.html'), terms);
  words = {};
  [failure, changes, today] = [null, 0, new Date('2026-06-01T00:00:00Z')];
  live = livePages({
    readSections: async () => {
      if (failure) throw failure;
      return { ...shownSections([]), ...words };
    },
    onChange: () => {
      changes += 1;
      files.refresh();
    },
    now: () => today,
  });
  files = await builtFiles(folder, { headersOf: () => new Map(), rewrite: live.rewrite });
});
afterEach(() => live.stop());

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await files.answer(new Request(`http://site.test${path}`, { headers, method }), path);
  if (!answer) throw new Error(`${path} is not there.`);
  return { answer, body: Buffer.from(await answer.arrayBuffer()) };
}
const text = async (path: string) => (await get(path)).body.toString();

describe('A saved text', () => {
  test('leaves a page without such texts as it was built, so the search loads its script immediately', async () => {
    const search = '<!DOCTYPE html><html id="now" lang="en-US"><body><h1>Search</h1></body></html>';
    await live.update();
    expect(live.rewrite(search)).toBe(search);
  });

  test('is in every compressed form, and each form has its own ETag', async () => {
    const before = await get('/', { 'accept-encoding': 'br' });
    words = { hero_title: { title: 'New words', content: '' } };
    await live.update();
    const plain = await text('/');
    const br = await get('/', { 'accept-encoding': 'gzip, br' });
    expect(br.answer.headers.get('content-encoding')).toBe('br');
    const gzip = await get('/', { 'accept-encoding': 'gzip' });
    expect(brotliDecompressSync(br.body).toString()).toBe(plain);
    expect(gunzipSync(gzip.body).toString()).toBe(plain);
    expect(plain).toContain('New words');
    const etags = [before, br, gzip].map(({ answer }) => answer.headers.get('etag'));
    expect(new Set(etags).size).toBe(3);
    expect(br.answer.headers.get('content-length')).toBe(String(br.body.length));
    const asked = { 'accept-encoding': 'br', 'if-none-match': etags[0] ?? '' };
    expect((await get('/', asked)).answer.status).toBe(200);
    expect((await get('/', { ...asked, 'if-none-match': etags[1] ?? '' })).answer.status).toBe(304);
    const head = await get('/', { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.body.length, head.answer.headers.get('content-length')]).toEqual([0, String(br.body.length)]);
    expect((await get('/', { range: 'bytes=0-14' })).body.toString()).toBe('<!DOCTYPE html>');
  });

  test('that an admin empties disappears from the page', async () => {
    words = { hero_subtitle: { title: 'Line', content: '' } };
    await live.update();
    expect(await text('/')).toContain('data-section-part="content"></p>');
  });

  test('among hundreds in one second is shown if it is the last', async () => {
    let last: Promise<void> | undefined;
    for (let index = 0; index < 300; index += 1) {
      words = { hero_title: { title: `Save ${index}`, content: '' } };
      last = live.update();
      if (index % 100 === 0) await new Promise(setImmediate);
    }
    await last;
    expect(await text('/')).toContain('Save 299');
  });

  test('stays in the page while the database is down, with one log line, and changes when the database is back', async () => {
    words = { hero_title: { title: 'Kept', content: '' } };
    await live.update();
    failure = new Error('disk I/O error');
    await live.update();
    await live.update();
    expect(await text('/')).toContain('Kept');
    expect(takeLog().filter((line) => /home texts not read/.test(line))).toHaveLength(1);
    failure = null;
    words = { hero_title: { title: 'Back', content: '' } };
    await live.update();
    expect(await text('/')).toContain('Back');
    expect(takeLog().join()).toMatch(/readable again/);
  });
});

test('The copyright year is the year in the firm’s time zone on every page, without a build', async () => {
  await live.update();
  today = new Date('2027-01-01T07:59:00Z');
  await live.update();
  expect([await text('/terms'), changes]).toEqual([terms, 1]);
  today = new Date('2027-01-01T08:00:00Z');
  await live.update();
  for (const path of ['/', '/contact', '/terms'])
    expect(await text(path)).toContain('© <span class="figures">2027</span>');
  const br = await get('/terms', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(br.body).toString()).toBe(await text('/terms'));
  expect(await text('/404')).toContain('2027');
  // The cached pages that were rendered on request show the old year, so the host purges them once.
  expect(changes).toBe(2);
});
