// Finds browsers for the browser tests, and installs missing ones from Debian. Prefers Chromium's headless shell, which
// has no window and uses a quarter less processor time than Chromium. If Debian's packages do not exist, downloads
// Playwright's Chromium. The tests of Firefox or WebKit are skipped if that browser is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { exists, npm, run } from './toolchain.mjs';

const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const elsewhere = [
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Installs missing browsers from Debian. Works before the project's npm packages are installed. */
export async function installBrowsers() {
  const wanted = [
    ...(systemChromium() ? [] : [shell, 'chromium']),
    ...(systemChromium() && hasUsualFonts() ? [] : ['fonts-liberation']),
    ...(firefox() ? [] : ['firefox-esr']),
    ...(webkit() ? [] : ['webkit2gtk-driver', 'xvfb']),
  ];
  if (wanted.length > 0) await installFromDebian(wanted);
}

/**
 * Finds the browsers.
 * @returns environment variables with their paths. `CHROMIUM_PATH` is missing if the tests should use Playwright's own
 * browser.
 */
export async function browserVariables() {
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

/** Returns `CHROMIUM_PATH`, or the path of the system's browser. */
export function systemChromium() {
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

/**
 * Finds WebKit's driver, its browser, and a virtual screen for both. Returns undefined if one of the three is missing.
 */
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

/**
 * Checks whether the browser starts. On some systems, the file is only a script that prints where to get the browser.
 */
function starts(path) {
  return existsSync(path) && spawnSync(path, ['--version']).status === 0;
}

/**
 * Checks whether the system has Times New Roman, or a font with the same letter widths. The pages' fallback font is
 * adjusted to these widths (scripts/fonts.ts), and Debian's Chromium comes without fonts.
 */
function hasUsualFonts() {
  const { status, stdout } = spawnSync('fc-match', ['Times New Roman'], { encoding: 'utf8' });
  return status !== 0 || /times|liberation|tinos/i.test(stdout);
}

/**
 * Installs the packages that the system's package manager offers. Does nothing without apt-get or without root
 * permissions.
 */
async function installFromDebian(packages) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command, ...args] = [...asRoot, 'apt-get'];
  if (spawnSync(command, [...args, '--version']).status !== 0) return;
  console.log(`Browsers: installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run(command, [...args, 'update', '-qq'], { env });
    // apt-get installs nothing if one package name is unknown.
    const known = packages.filter((name) => isOffered(name));
    const offered = known.includes(shell) ? known.filter((name) => name !== 'chromium') : known;
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
