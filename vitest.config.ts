import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from 'vitest/config';

/**
 * Five kinds of tests. None of them replaces a part of the product with a mock:
 * - `unit`: rules, functions and the host, each with its own database file, blob folder and sockets;
 * - `site`: the pages in `dist`, after a build;
 * - `e2e`: a browser and the running host;
 * - `firefox`, `webkit`: the tests of `tests/engines`, which `e2e` runs in Chromium, in these browsers;
 * - `faults`: the running host with an injected fault. `FAULTS=full` runs the long form (`npm run test:faults`).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{src,netlify,host}/**/*.test.ts', 'tests/{functions,support}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          // Most of these wait for a disk, a socket or a clock a third of their time.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          testTimeout: 20_000,
          setupFiles: ['tests/support/console.ts'],
        },
      },
      {
        test: {
          name: 'site',
          environment: 'node',
          include: ['tests/site/**/*.test.ts'],
          maxWorkers: '100%',
          testTimeout: 60_000,
          // What is prepared here starts processes, and a disk may stand still for seconds.
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/{e2e,engines}/**/*.test.ts', '{src,tests/support}/**/*.browser.test.ts'],
          // A browser test waits a third of its time.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'faults',
          environment: 'node',
          include: ['tests/faults/**/*.test.ts'],
          maxWorkers: '100%',
          testTimeout: process.env.FAULTS === 'full' ? 900_000 : 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      ...['firefox', 'webkit'].map((name) => ({
        test: {
          name,
          environment: 'node' as const,
          include: ['tests/engines/**/*.test.ts'],
          globalSetup: 'tests/support/engines/start.ts',
          // A browser has one session at a time.
          maxWorkers: 1,
          // A page that moves between the look and the press is missed: these drivers cannot hold it still.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      })),
    ],
  },
});
