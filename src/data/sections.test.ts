import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInThisThread } from '../../host/data/sqlite.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { sectionStore } from '../../netlify/server/sections/store.ts';
import { takeLog } from '../../tests/support/console.ts';
import { homeSections } from './sections.ts';
import { folder, makeFolders } from '../../tests/support/host/folder.ts';

makeFolders();
beforeEach(() => void vi.stubEnv('DATA_DIR', folder));
afterEach(() => void vi.unstubAllEnvs());

test('The home page has default texts until there is a database, then the texts of the admins without tags', async () => {
  const database = openInThisThread(join(folder, 'site.db'));
  expect((await homeSections())('stats_projects').title).toBe('100+');
  await migrate(database);
  const input = { title: '<b>120+</b>', content: 'Projects &amp; more', metadata: '' };
  await sectionStore(database).put('stats_projects', input, '2026-01-01T00:00:00.000Z');
  database.close();
  const sections = await homeSections();
  expect(sections('stats_projects')).toMatchObject({ title: '120+', content: 'Projects & more' });
  expect(sections('stats_experience').title).toBe('60+');
});

test('A database that does not respond does not stop a build', async () => {
  vi.stubEnv('LIBSQL_URL', 'http://127.0.0.1:9');
  expect((await homeSections())('stats_projects').title).toBe('100+');
  expect(takeLog().join()).toMatch(/database not reached by the build; default texts are used/);
});
