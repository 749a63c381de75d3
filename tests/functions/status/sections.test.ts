import { describe, expect, test } from 'vitest';
import { firstSections } from '../../../netlify/server/sections/first-sections.ts';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';

const site = useApi({ buildHook: true });
const minute = 60_000;

const get = (key: string, headers: Record<string, string> = {}) => site.ask(`/api/cms/content/${key}`, { headers });
const put = (key: string, json: unknown) => site.admin(`/api/cms/content/${key}`, { method: 'PUT', json });

describe('A home text', () => {
  test('is empty until an admin saves it, and unknown under any other key', async () => {
    const response = await get('hero_title');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: null });
    expect((await get('secret')).status).toBe(404);
  });

  test('is public after a save, and a page with this text gets 304', async () => {
    const saved = await put('hero_title', { title: 'Books that agree', content: '', metadata: '{"a":1}' });
    expect(saved.status).toBe(200);
    const response = await get('hero_title');
    expect(await response.json()).toMatchObject({ data: { sectionKey: 'hero_title', title: 'Books that agree' } });
    expect(response.headers.get('netlify-cache-tag')).toBe('content,content-hero_title');
    const again = await get('hero_title', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('requests a rebuild when it changes, and the editor learns how it becomes public', async () => {
    const saved = await put('hero_title', { title: 'Books that agree' });
    expect(site.rebuilds()).toBe(1);
    expect((await saved.json()).publishing).toBe('build');
    site.watchPurges();
    expect((await (await put('hero_title', { title: 'At once' })).json()).publishing).toBe('server');
  });

  test('requests one build in ten minutes, however many texts change, and requests a failed build again', async () => {
    await site.tick();
    for (const title of ['One', 'Two', 'Three']) await put('hero_title', { title });
    site.advance(9 * minute);
    await site.tick();
    expect(site.rebuilds()).toBe(1);
    site.buildHook.answer({ status: 503 });
    for (const passed of [2, 8, 3]) {
      site.advance(passed * minute);
      await site.tick();
      site.buildHook.answer({ status: 200 });
    }
    expect(site.rebuilds()).toBe(3);
    site.advance(11 * minute);
    await site.tick();
    expect(site.rebuilds()).toBe(3);
    expect(takeLog()).toContainEqual(expect.stringContaining('The build hook answered 503.'));
  });

  test('whose build was refused appears in the site status, until a build is accepted', async () => {
    const pages = async () => (await site.read<{ health: { pages: string } }>('/api/settings/status')).health.pages;
    await site.tick();
    site.buildHook.answer({ status: 503 });
    await put('hero_title', { title: 'One' });
    expect(await pages()).toMatch(
      /^Netlify did not accept the last request to rebuild the site.* Check BUILD_HOOK_URL/,
    );
    await put('hero_title', { title: 'Two' });
    expect(await pages()).toMatch(/^Netlify did not accept/);
    site.buildHook.answer({ status: 200 });
    site.advance(11 * minute);
    await site.tick();
    expect(await pages()).toBe('ok');
    expect(site.rebuilds()).toBe(2);
    takeLog();
  });

  test('is saved although the build hook hangs, and no background task is late', async () => {
    await site.tick();
    site.buildHook.answer(null);
    expect((await put('hero_title', { title: 'One' })).status).toBe(200);
    site.advance(11 * minute);
    await runScheduledWork(site.services, 50_000);
    expect(site.rebuilds()).toBe(2);
    const notRequested = expect.stringContaining('rebuild not requested');
    expect(takeLog()).toEqual([notRequested, notRequested]);
  });

  test('is returned with all the others in one response, as plain text, edited or not', async () => {
    await put('hero_title', { title: '<p>Books that <b>agree</b></p>', content: 'a &amp; b' });
    const response = await get('published');
    const { data } = await response.json();
    expect(Object.keys(data)).toEqual([...firstSections.keys()]);
    expect(data.hero_title).toEqual({ title: 'Books that agree', content: 'a & b' });
    expect(data.stats_projects).toEqual({ title: '100+', content: 'NetSuite Projects' });
    expect(response.headers.get('netlify-cache-tag')).toBe('content');
    expect((await get('published', { 'if-none-match': response.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('with metadata that is not JSON, or with a title that has only tags, is refused', async () => {
    const response = await put('hero_title', { title: '<b>&nbsp;</b>', metadata: '{a:1}' });
    expect(response.status).toBe(400);
    const errors = { title: 'Please enter a title.', metadata: 'Metadata must be valid JSON.' };
    expect((await response.json()).errors).toEqual(errors);
    expect(site.rebuilds()).toBe(0);
  });
});

describe('The Content Editor API', () => {
  const list = async () => await (await site.admin('/api/cms/content')).json();
  const initialize = () => site.admin('/api/cms/content/initialize', { method: 'POST' });

  test('lists every text, edited or not, with its default', async () => {
    await put('stats_projects', { title: '120+', content: 'Projects' });
    const { data } = await list();
    expect(data.map(({ sectionKey }: { sectionKey: string }) => sectionKey)).toEqual([...firstSections.keys()]);
    expect(data[0]).toMatchObject({ sectionKey: 'hero_title', updatedAt: null });
    expect(data[0].title).toBe(data[0].first.title);
    expect(data.find((entry: { sectionKey: string }) => entry.sectionKey === 'stats_projects')).toMatchObject({
      title: '120+',
      content: 'Projects',
      updatedAt: '2026-03-02T18:30:00.000Z',
      first: { title: '100+', content: 'NetSuite Projects' },
    });
  });

  test('adds missing texts, and never overwrites saved texts', async () => {
    await site.tick();
    await put('hero_title', { title: 'Mine' });
    const first = await (await initialize()).json();
    expect(first.added).toEqual([...firstSections.keys()].filter((key) => key !== 'hero_title'));
    expect(first.data[0]).toMatchObject({ title: 'Mine' });
    expect((await (await initialize()).json()).added).toEqual([]);
    expect((await (await get('stats_projects')).json()).data.title).toBe('100+');
    site.advance(11 * minute);
    await site.tick();
    expect(site.rebuilds()).toBe(2);
  });

  test('that is saved again after a lost response is no conflict', async () => {
    const change = { title: 'Books that agree', content: '', metadata: '', updatedAt: null };
    const { data } = await (await put('hero_title', change)).json();
    site.advance(minute);
    const again = await put('hero_title', change);
    expect([again.status, (await again.json()).data]).toEqual([200, data]);
    expect(await site.activity()).toHaveLength(1);
    expect((await put('hero_title', { ...change, title: 'Other books' })).status).toBe(409);
  });

  test('does not overwrite a change that another admin saved meanwhile', async () => {
    expect((await put('hero_title', { title: 'First', updatedAt: null })).status).toBe(200);
    const refused = await put('hero_title', { title: 'Also first', updatedAt: null });
    expect(refused.status).toBe(409);
    expect((await refused.json()).current).toMatchObject({ sectionKey: 'hero_title', title: 'First' });
    const seen = (await (await get('hero_title')).json()).data.updatedAt;
    site.advance(1_000);
    expect((await put('hero_title', { title: 'Second', updatedAt: seen })).status).toBe(200);
    site.advance(1_000);
    expect((await put('hero_title', { title: 'Late', updatedAt: seen })).status).toBe(409);
    expect((await (await get('hero_title')).json()).data.title).toBe('Second');
    expect((await put('hero_title', { title: 'Whatever there is' })).status).toBe(200);
    expect((await put('cta_title', { title: 'x', updatedAt: seen })).status).toBe(409);
  });
});
