import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { embeddedDatabase } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { sectionStore } from '../../netlify/server/stores/sections.ts';
import { takeLog } from '../../tests/support/console.ts';
import { homeSections } from './sections.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sections-test-'));
  vi.stubEnv('DATA_DIR', directory);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

test('Home is built with the first texts where there is no database', async () => {
  expect((await homeSections())('stats_projects')).toEqual({
    key: 'stats_projects',
    title: '100+',
    content: 'NetSuite Projects',
  });
});

test('Home is built with what an admin wrote, tags stripped, and the first texts for the rest', async () => {
  const url = `file:${join(directory, 'site.db')}`;
  const database = await embeddedDatabase(() => createClient({ url, concurrency: 1 }));
  expect((await homeSections())('hero_title').title).not.toBe('');
  await migrate(database);
  const input = { title: '<b>120+</b>', content: 'Projects &amp; more', metadata: '' };
  await sectionStore(database).put('stats_projects', input, '2026-01-01T00:00:00.000Z');
  database.close();
  const sections = await homeSections();
  expect(sections('stats_projects')).toMatchObject({ title: '120+', content: 'Projects & more' });
  expect(sections('stats_experience').title).toBe('60+');
});

test('A database that does not answer does not stop a build', async () => {
  vi.stubEnv('LIBSQL_URL', 'http://127.0.0.1:9');
  expect((await homeSections())('stats_projects').title).toBe('100+');
  expect(takeLog().join()).toMatch(/database not reached by the build; default texts are used/);
});
