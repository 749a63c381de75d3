import { expect, test } from 'vitest';
import { fileOfModule } from './browser-chunks.ts';

/** A module's static importers and dynamic importers. */
const graph = {
  '/src/pages/admin/index.astro?script': { entry: true },
  '/src/admin/session/SignInPage.tsx': { entry: true },
  '/src/islands/header/Header.tsx': { entry: true },
  '/src/lib/forms/enhance.ts': { dynamic: ['/src/layouts/later/later.ts'] },
  '/src/layouts/later/later.ts': { entry: true },
  '/src/admin/media/MediaScreen.tsx': { dynamic: ['/src/admin/app/tabs.ts'] },
  '/src/admin/app/tabs.ts': { importers: ['/src/pages/admin/index.astro?script'] },
  '/src/admin/ui/Pager.tsx': { importers: ['/src/admin/app/tabs.ts', '/src/admin/media/MediaScreen.tsx'] },
  '/src/admin/ui/Button.tsx': { importers: ['/src/admin/ui/Pager.tsx', '/src/admin/session/SignInPage.tsx'] },
  '/src/admin/media/MediaGrid.tsx': { importers: ['/src/admin/media/MediaScreen.tsx'] },
  '/src/lib/api.ts': { importers: ['/src/admin/ui/Button.tsx', '/src/lib/forms/enhance.ts'] },
  '/src/lib/popover.ts': { importers: ['/src/islands/header/Header.tsx'] },
  '/node_modules/react/index.js': { importers: ['/src/admin/ui/Pager.tsx', '/src/islands/header/Header.tsx'] },
} as Record<string, { entry?: boolean; importers?: string[]; dynamic?: string[] }>;

const fileOf = (id: string) =>
  fileOfModule(id, {
    getModuleInfo: (each) => {
      const { entry = false, importers = [], dynamic = [] } = graph[each] ?? {};
      return { isEntry: entry, importers, dynamicImporters: dynamic };
    },
  });

test('a module of the dashboard is in the same file, no matter which tabs need it', () => {
  expect(fileOf('/src/admin/app/tabs.ts')).toBe('admin');
  expect(fileOf('/src/admin/ui/Pager.tsx')).toBe('admin');
});

test('a module that another page needs too is in a file without the modules that the other page does not need', () => {
  expect(fileOf('/src/admin/ui/Button.tsx')).toBe('admin-SignInPage');
  expect(fileOf('/src/lib/api.ts')).toBe('admin-SignInPage-enhance');
});

test('a module that the dashboard does not load at its start has the file that Rolldown chooses', () => {
  expect(fileOf('/src/admin/media/MediaGrid.tsx')).toBeNull();
  expect(fileOf('/src/lib/popover.ts')).toBeNull();
});

test('React is one file for all pages', () => {
  expect(fileOf('/node_modules/react/index.js')).toBe('react');
});
