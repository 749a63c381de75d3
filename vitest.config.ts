import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Three kinds of tests, each over the real thing:
 * - `unit`: rules, functions and the host, on a database file, a blob folder and sockets of their own;
 * - `site`: the pages in `dist`, after a build;
 * - `e2e`: a browser against the running host.
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
          // Most of these wait for a disk, a socket or a clock: Vitest's own count would leave a core idle.
          maxWorkers: '100%',
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
          include: ['tests/{e2e,faults}/**/*.test.ts', '{src,tests/support}/**/*.browser.test.ts'],
          // A browser test waits a third of its time.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
