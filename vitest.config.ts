import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from 'vitest/config';

/**
 * Node loads the server code and the bundled functions in tests, as in production. If Vite loaded the server code, each
 * file of the browser tests would take several seconds longer to start a site.
 */
const server = {
  deps: {
    external: [
      new RegExp(
        `^(file://)?${import.meta.dirname.replaceAll(/[^\w/]/g, '\\$&')}/(host|netlify|src/domain)/.*(?<!\\.test)\\.ts$`,
      ),
      /\/src\/site\.config\.ts$/,
      /\/bundled-functions\/.*\.mjs$/,
    ],
  },
};

/** A machine may be slow, or busy with other work. Tests wait for states, which usually come much earlier. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** The tests that start the project's commands as processes, such as `npm start` and `npm run backup`. */
const commands = ['tests/host/{backups,commands,versions}/*.test.ts'];

/**
 * Six kinds of tests. None of them replaces a part of the product with a mock:
 * - `unit`: rules, functions and the host, each with its own database file, blob folder and sockets;
 * - `commands`: the commands of an owner or a developer, before the site is built, because Astro's development server
 * deletes the functions of a build;
 * - `site`: the pages in `dist`, after a build;
 * - `e2e`: Chromium and the running host;
 * - `chromium`, `firefox`, `webkit`: the visitor's and the admin's journeys in these browsers;
 * - `faults`: the running host with an injected fault. `FAULTS=full` runs the long form (`npm test -- --faults`);
 * - `timed`: the fault tests that measure times in which the product promises to respond, so nothing else may run.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          server,
          include: ['{src,netlify,host,scripts}/**/*.test.ts', 'tests/{functions,host}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', ...commands],
          // A process of its own for each file would load the same modules again for each file: half of the time.
          isolate: false,
          // More workers than processors, because most of these tests spend a third of their time waiting for a disk, a
          // socket or a clock.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          ...patience,
          // A loop over an empty list checks nothing, so a test without any assertion fails.
          expect: { ...patience.expect, requireAssertions: true },
          setupFiles: ['tests/support/console.ts', 'tests/support/seed.ts'],
        },
      },
      {
        test: {
          name: 'commands',
          environment: 'node',
          server,
          include: commands,
          // More workers than processors, because processes wait for disks and for each other.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          ...patience,
          setupFiles: ['tests/support/console.ts'],
        },
      },
      {
        test: {
          name: 'site',
          environment: 'node',
          server,
          // The files of a worker share the loaded modules and the parsed pages.
          isolate: false,
          include: ['tests/site/**/*.test.ts'],
          maxWorkers: '100%',
          ...patience,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          server,
          // The files of a worker share one browser and the loaded modules.
          isolate: false,
          include: ['tests/e2e/**/*.test.ts', 'src/**/*.browser.test.ts'],
          // Each worker has a browser of its own.
          maxWorkers: '100%',
          ...patience,
        },
      },
      ...(['faults', 'timed'] as const).map((name) => ({
        test: {
          name,
          environment: 'node' as const,
          server,
          include: [name === 'timed' ? 'tests/faults/timed/*.test.ts' : 'tests/faults/*.test.ts'],
          maxWorkers: '100%',
          ...patience,
          ...(process.env.FAULTS === 'full' && { testTimeout: 900_000 }),
        },
      })),
      ...(['chromium', 'firefox', 'webkit'] as const).map((engine) => ({
        test: {
          name: engine,
          environment: 'node' as const,
          server,
          include: ['tests/journeys/**/*.test.ts'],
          provide: { engine },
          env: { WDIO_LOG_LEVEL: 'silent' },
          // The files of a worker share one browser, because starting Firefox takes as long as ten of its pages.
          isolate: false,
          maxWorkers: 1,
          ...patience,
        },
      })),
    ],
  },
});
