// `npm test`: every check there is, in order, on a machine that may have nothing yet. Stops after the first step that fails,
// and ends with one line of totals.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { browserVariables } from './browser.mjs';
import { installPackages, projectNode, root, seconds } from './toolchain.mjs';

const began = Date.now();
const reports = join(root, '.cache/test-reports');
const totals = { passed: 0, failed: 0 };

/** Makes the types of content and pages, which the checks after it read. */
const prepared = [{ name: 'Generated types', command: 'astro sync' }];

/** Steps that only read the sources, so that two of them can run at once. */
const checks = [
  { name: 'Types', command: 'npm run --silent types' },
  { name: 'Lint', command: 'npm run --silent lint' },
  { name: 'Format', command: 'npm run --silent format:check' },
  { name: 'Dead code', command: 'npm run --silent dead-code' },
  { name: 'Content', command: 'npm run --silent check:content' },
];

// The build is given secrets that a test then looks for in what it made.
const madeUpSecrets = JSON.parse(await readFile(join(root, 'tests/support/made-up-secrets.json'), 'utf8'));

await installPackages();
const node = await projectNode();
const path = [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: '1' };
const browsers = await browserVariables();
for (const [name, path] of Object.entries(browsers)) if (path) env[name] = path;
const { CHROMIUM_PATH, FIREFOX_PATH, WEBKIT_BROWSER_PATH } = browsers;
console.log(`Chromium: ${CHROMIUM_PATH ?? "Playwright's own"}`);
console.log(`Firefox: ${FIREFOX_PATH ?? 'not available on this machine, so its tests are skipped'}`);
console.log(`WebKit: ${WEBKIT_BROWSER_PATH ?? 'not available on this machine, so its tests are skipped'}`);

/** Steps in their order. Those of a list in it are lanes that run side by side: each leaves the processor idle half of its time. */
const runs = [
  // It includes Astro's development server, which clears away what a build left for functions.
  { name: 'Unit and function tests', project: 'unit' },
  { name: 'Build', command: 'node host/build.ts', env: madeUpSecrets },
  [
    [
      { name: 'Tests over the built site', project: 'site' },
      { name: 'Fault tests, short form', project: 'faults' },
    ],
    [
      ...(FIREFOX_PATH ? [{ name: 'Tests in Firefox', project: 'firefox' }] : []),
      ...(WEBKIT_BROWSER_PATH ? [{ name: 'Tests in WebKit', project: 'webkit' }] : []),
    ],
  ],
  { name: 'Tests in Chromium', project: 'e2e' },
];

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });

const passed = (await runAtOnce(prepared)) && (await runAtOnce(checks)) && (await runInOrder(runs));
console.log(`\nAll of it took ${seconds(began)}.`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = passed ? 0 : 1;

/** Runs steps side by side, each one's output shown whole when it is done. */
async function runAtOnce(steps) {
  const queue = steps.values();
  let ok = true;
  const worker = async () => {
    for (const step of queue) {
      if (!ok) return;
      const started = Date.now();
      const { code, output } = await execute(step.command, 'pipe');
      heading(step.name, started, code);
      if (code !== 0) process.stdout.write(output);
      ok &&= code === 0;
      count(code);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  return ok;
}

async function runInOrder(steps) {
  for (const step of steps) {
    if (Array.isArray(step)) {
      const lanes = await Promise.all(step.map(runLane));
      if (lanes.includes(false)) return false;
    } else {
      console.log(`\n== ${step.name}`);
      if (!(await runStep(step, 'inherit'))) return false;
    }
  }
  return true;
}

/** Runs steps one after the other, each one's output shown whole when it is done. */
async function runLane(steps) {
  for (const step of steps) if (!(await runStep(step, 'pipe'))) return false;
  return true;
}

async function runStep({ name, command, project, env: more }, stdio) {
  const started = Date.now();
  const report = join(reports, `${project}.json`);
  const { code, output } = await execute(
    command ??
      `vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${JSON.stringify(report)}`,
    stdio,
    more,
  );
  process.stdout.write(output);
  heading(name, started, code);
  if (project) await countTests(report, code);
  else count(code);
  return code === 0;
}

function execute(command, stdio, more = {}) {
  return new Promise((resolve, reject) => {
    const output = stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, { cwd: root, env: { ...env, ...more }, shell: true, stdio: output });
    let text = '';
    child.stdout?.on('data', (chunk) => (text += chunk));
    child.stderr?.on('data', (chunk) => (text += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code, output: text }));
  });
}

function heading(name, started, code) {
  console.log(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds(started)})`);
}

function count(code) {
  if (code === 0) totals.passed += 1;
  else totals.failed += 1;
}

async function countTests(report, code) {
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  totals.passed += numPassedTests;
  // A file that could not even be loaded has no test that failed.
  totals.failed += code === 0 ? 0 : Math.max(1, numFailedTests);
}
