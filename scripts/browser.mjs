// The browsers for the browser tests. Chromium is the system's, else Debian's package, else Playwright's own download. Firefox and
// WebKit are the system's or Debian's; a machine that cannot have one of them does without.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { exists, npm, run } from './toolchain.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const elsewhere = [
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds the browsers, and installs what is missing in one step.
 * @returns variables with their paths. `CHROMIUM_PATH` is missing where Playwright's own browser is there to be used.
 */
export async function browserVariables() {
  const wanted = [
    ...(systemChromium() ? [] : ['chromium']),
    ...(systemChromium() && hasUsualFonts() ? [] : ['fonts-liberation']),
    ...(firefox() ? [] : ['firefox-esr']),
    ...(webkit() ? [] : ['webkit2gtk-driver', 'xvfb']),
  ];
  if (wanted.length > 0) await installFromDebian(wanted);
  return { CHROMIUM_PATH: await chromium(), FIREFOX_PATH: firefox(), ...webkit() };
}

async function chromium() {
  const found = systemChromium();
  if (found) return found;
  const { chromium: playwright } = await import('playwright');
  if (!(await exists(playwright.executablePath())))
    await npm('exec', '--no', '--', 'playwright', 'install', 'chromium');
  return undefined;
}

function systemChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  return [...names.flatMap(inPath), ...elsewhere].find(starts);
}

function firefox() {
  return (
    process.env.FIREFOX_PATH ??
    [...inPath('firefox-esr'), '/Applications/Firefox.app/Contents/MacOS/firefox'].find(starts)
  );
}

/** WebKit's driver, the browser that it starts, and a screen for both. Undefined where one of them is missing. */
function webkit() {
  const [driver] = inPath('WebKitWebDriver');
  const [screen] = inPath('Xvfb');
  const browser = ['/usr/lib', '/usr/lib64', '/usr/libexec']
    .flatMap((folder) => [folder, ...foldersIn(folder)])
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((version) => join(folder, version, 'MiniBrowser')))
    .find((path) => existsSync(path));
  return driver && screen && browser ? { WEBKIT_DRIVER_PATH: driver, WEBKIT_BROWSER_PATH: browser } : undefined;
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(folder, name));
}

function inPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}

/** Some systems put a note in the browser's place that only says where to get it. */
function starts(path) {
  return existsSync(path) && spawnSync(path, ['--version']).status === 0;
}

/**
 * Tells whether the system has Times New Roman, or a font with the same metrics. The pages' fallback fonts are fitted to it, and
 * Debian's Chromium comes without any.
 */
function hasUsualFonts() {
  const { status, stdout } = spawnSync('fc-match', ['Times New Roman'], { encoding: 'utf8' });
  return status !== 0 || /times|liberation|tinos/i.test(stdout);
}

/** Installs those of the packages that the system offers. Does nothing without apt-get or the right to use it. */
async function installFromDebian(packages) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command, ...args] = [...asRoot, 'apt-get'];
  if (spawnSync(command, [...args, '--version']).status !== 0) return;
  console.log(`Browsers: installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run(command, [...args, 'update', '-qq'], { env });
    // One unknown name would make apt-get install nothing.
    const offered = packages.filter((name) => isOffered(name));
    await run(command, [...args, 'install', '-y', '-qq', '--no-install-recommends', ...offered], { env });
  } catch (error) {
    console.log(`Browsers: ${error.message}`);
  }
}

function isOffered(name) {
  const { stdout } = spawnSync('apt-cache', ['policy', name], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return /Candidate: (?!\(none\))/.test(stdout);
}
