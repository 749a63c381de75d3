// Runs `npm test`: installs what is missing, then runs every check and every test.
//
//   npm test                            everything
//   npm test -- --fast                  only what needs no build and no browser
//   npm test -- --faults                the long form of the fault tests: power cuts, full disks, lost databases
//   npm test -- --project unit FILE     any other arguments go to Vitest: one project, one file, one test (`-t NAME`)
//
// Each step runs once: a test that fails has failed. The output ends with what the failed steps printed, such as the
// name of each failed test and the reason.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { browserVariables, installBrowsers } from './browser.mjs';
import { installPackages, projectNode, root, seconds } from './node24.mjs';

const began = Date.now();
const args = process.argv.slice(2);
const fast = args.includes('--fast');
const needsBuild = !args.includes('unit') && !args.includes('commands');
const failures = [];
let passed = 0;

// The build gets these generated secrets as environment variables, and a test checks that the output does not contain
// them.
const madeUpSecrets = JSON.parse(await readFile(join(root, 'tests/support/made-up-secrets.json'), 'utf8'));
const build = { name: 'Build', command: 'node host/build/build.ts', env: madeUpSecrets };
/** Astro deletes a build's functions when it starts, so nothing builds the site at the same time. */
const pages = {
  name: 'Types and lint of pages',
  command: 'astro check --tsconfig tsconfig.astro.json && eslint . --max-warnings 0',
};
const checks = [
  { name: 'Types and lint', command: 'oxlint' },
  { name: 'Format', command: 'prettier --check .' },
  { name: 'Unused code', command: 'knip' },
  { name: 'Imports', command: 'depcruise --config .dependency-cruiser.json src netlify host scripts tests bench' },
  { name: 'Spelling', command: 'cspell --no-progress' },
];

const installing = fast ? [] : installBrowsers();
await installPackages({ development: true });
const missing = await installing;
console.log(`Installed packages and browsers: ${seconds(began)}`);
const node = projectNode();
/** The folder for the temporary files of all steps, deleted at the end. */
const temporary = await mkdtemp(join(tmpdir(), 'tests-'));
const env = {
  ...process.env,
  ...(fast ? {} : browserVariables()),
  PATH: [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH].join(delimiter),
  TMPDIR: temporary,
  ASTRO_TELEMETRY_DISABLED: '1',
  // Test files run in separate processes, which share compiled code through this cache.
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
};

// Screenshots of failed browser tests.
await rm(join(root, '.cache/test-reports'), { recursive: true, force: true });

const started = Date.now();
// Generates the types of `content/` and of Astro's modules, which the checks and the tests need.
await run({ name: 'Generated types', command: 'astro sync' });
if (args.includes('--checks')) await inOrder([pages, ...checks]);
else if (args.includes('--faults'))
  await inOrder([build, ...['faults', 'timed'].map((name) => ({ ...tests(name), env: { FAULTS: 'full' } }))]);
else if (args.length > 0 && !fast) await inOrder([...(needsBuild ? [build] : []), tests(undefined, args)]);
else await runAll();
await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
report();

async function runAll() {
  if (fast) return await inPairs([tests('unit'), pages, ...checks]);
  // One after the other: a unit test bundles the functions into the folder of the build.
  await inPairs([tests('unit'), tests('commands'), pages]);
  const [isBuilt] = await Promise.all([run(build), inOrder(checks)]);
  if (!isBuilt) return;
  const projects = ['e2e', 'site', 'webkit', 'firefox', 'chromium', 'faults'];
  const browserOf = (project) => (project === 'e2e' ? 'chromium' : project);
  await inPairs(projects.filter((project) => !missing.includes(browserOf(project))).map((project) => tests(project)));
  await run(tests('timed'));
}

/** Runs steps, two at a time, because many of them wait for browsers and disks. The longest steps come first. */
async function inPairs(list) {
  const waiting = list.values();
  await Promise.all([inOrder(waiting), inOrder(waiting)]);
}

/** Returns the step that runs the tests of a project of vitest.config.ts, or the tests that the arguments select. */
function tests(project, selection = ['--project', project]) {
  const command = `vitest run ${selection.map((text) => JSON.stringify(text)).join(' ')}`;
  return { name: project ? `Tests: ${project}` : 'Tests', command };
}

async function inOrder(list) {
  for (const step of list) await run(step);
}

/** Runs one step. Its output is printed at the end if the step failed. */
async function run({ name, command, env: more }) {
  const from = Date.now();
  const child = spawn(command, { cwd: root, env: { ...env, ...more }, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.on('error', () => resolve(1)).on('close', resolve));
  console.log(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds(from)})`);
  if (code === 0 && name === 'Tests') console.log(output);
  if (code === 0) passed += 1;
  else failures.push({ name, command, output });
  return code === 0;
}

function report() {
  for (const { name, command, output } of failures) console.log(`\n== FAILED: ${name} (${command})\n${output}`);
  console.log(`\nAll steps: ${seconds(started)}; with installation: ${seconds(began)}`);
  console.log(`${passed} steps passed, ${failures.length} failed${failures.map(({ name }) => `\n  ${name}`).join('')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
