// Runs `npm test`: installs everything that is missing and runs every check. Stops after the first failed step, and
// ends with one line of totals.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { browserVariables, installBrowsers } from './browser.mjs';
import { installPackages, projectNode, root, seconds } from './toolchain.mjs';

const began = Date.now();
const reports = join(root, '.cache/test-reports');
const totals = { passed: 0, failed: 0 };

// The build gets these generated secrets as environment variables, and a test checks that the output does not contain
// them.
const madeUpSecrets = JSON.parse(await readFile(join(root, 'tests/support/made-up-secrets.json'), 'utf8'));

const browsersInstalled = installBrowsers();
await installPackages({ development: true });
const node = await projectNode();
const path = [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH].join(delimiter);
const env = {
  ...process.env,
  PATH: path,
  ASTRO_TELEMETRY_DISABLED: '1',
  // Each test file runs in a separate process. The compile cache lets these processes share compiled code.
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
};

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });

let passed = true;
// Generates the types of `content/` and of Astro's modules, which the checks need.
await run({ name: 'Generated types', command: 'astro sync', quiet: true });
await Promise.all([runTests(runChecks()), browsersInstalled]);
console.log(`\nTotal time: ${seconds(began)}.`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = passed ? 0 : 1;

/**
 * Runs the steps that check source files, while the tests run. The tests leave a third of the processor time unused.
 * The checks have a low priority, so they use only this time.
 * @returns two promises. `types` resolves after the type check, which writes files that the build also writes. `all`
 * resolves when every step is done.
 */
function runChecks() {
  const check = (name, script) => ({ name, command: `nice -n 19 npm run --silent ${script}`, quiet: true });
  const types = run(check('Types', 'types'));
  const others = [
    check('Lint', 'lint'),
    check('Format', 'format:check'),
    check('Dead code', 'dead-code'),
    check('Duplicates', 'duplicates'),
    check('Circular imports', 'circles'),
    check('Content', 'check:content'),
  ];
  return { types, all: types.then(() => runAll(others)) };
}

async function runTests({ types, all }) {
  // These tests run before the build, because they start Astro's development server, which deletes built functions.
  await run({ name: 'Unit and function tests', project: 'unit' });
  await types;
  await run({ name: 'Build', command: 'node host/build.ts', env: madeUpSecrets });
  await browsersInstalled;
  if (!passed) return;
  const { firefox, webkit } = await findBrowsers();
  // Both groups run at the same time, because each leaves the processor idle half of the time.
  await Promise.all([
    runAll([
      { name: 'Tests over the built site', project: 'site', quiet: true },
      { name: 'Fault tests, short form', project: 'faults', quiet: true },
    ]),
    runAll([
      ...(firefox ? [{ name: 'Tests in Firefox', project: 'firefox', quiet: true, twice: true }] : []),
      ...(webkit ? [{ name: 'Tests in WebKit', project: 'webkit', quiet: true, twice: true }] : []),
    ]),
  ]);
  await Promise.all([all, run({ name: 'Tests in Chromium', project: 'e2e', twice: true })]);
}

/** Sets variables for the following steps, and prints which browsers exist. */
async function findBrowsers() {
  const browsers = await browserVariables();
  for (const [name, path] of Object.entries(browsers)) if (path) env[name] = path;
  const { CHROMIUM_PATH, FIREFOX_PATH, WEBKIT_BROWSER_PATH } = browsers;
  console.log(`Chromium: ${CHROMIUM_PATH ?? "Playwright's own"}`);
  console.log(`Firefox: ${FIREFOX_PATH ?? 'not available on this machine, so its tests are skipped'}`);
  console.log(`WebKit: ${WEBKIT_BROWSER_PATH ?? 'not available on this machine, so its tests are skipped'}`);
  return { firefox: FIREFOX_PATH, webkit: WEBKIT_BROWSER_PATH };
}

async function runAll(steps) {
  for (const step of steps) await run(step);
}

/**
 * Runs a step, unless an earlier step has failed. Prints the output of a quiet step when the step is done, and the
 * output of a check only if it failed.
 * @param step has either a `command`, or a `project` of vitest.config.ts whose tests run. With `twice`, test files that
 * failed run once more with a new site and a new browser, because browsers and their drivers sometimes lose an event on
 * a busy machine.
 */
async function run({ name, command, project, files = [], env: more, quiet = false, twice = false }) {
  if (!passed) return;
  if (!quiet) console.log(`\n== ${name}`);
  const started = Date.now();
  const report = join(reports, `${project}.json`);
  const { code, output } = await execute(
    command ??
      `vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${JSON.stringify(report)} ${files.join(' ')}`,
    quiet ? 'pipe' : 'inherit',
    more,
  );
  if (project || code !== 0) process.stdout.write(output);
  const failed = twice && code !== 0 ? await failedFilesOf(report) : [];
  const outcome = code === 0 ? 'passed' : failed.length > 0 ? `${failed.join(', ')} must run again` : 'FAILED';
  console.log(`== ${name}: ${outcome} (${seconds(started)})`);
  if (failed.length > 0) return await run({ name: `${name}, second run`, project, files: failed, quiet });
  passed &&= code === 0;
  if (project) await countTests(report, code);
  else totals[code === 0 ? 'passed' : 'failed'] += 1;
}

/** Returns the failed test files of a report, and adds the tests of the other files to the totals. */
async function failedFilesOf(report) {
  const { testResults = [] } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
  // A busy machine can make one or two files fail. More failures have another cause, so no file runs again.
  if (failed.length > 2) return [];
  for (const { status, assertionResults } of testResults) {
    if (status !== 'failed') totals.passed += assertionResults.filter((one) => one.status === 'passed').length;
  }
  return failed;
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

async function countTests(report, code) {
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  totals.passed += numPassedTests;
  // A test file that fails to load counts as one failed test.
  totals.failed += code === 0 ? 0 : Math.max(1, numFailedTests);
}
