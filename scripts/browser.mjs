// The browser for the browser tests: the system's Chromium, else Debian's package, else Playwright's own download.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { exists, npm, run } from './toolchain.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const elsewhere = [
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @returns the browser's path, or undefined where Playwright's own is there to be used. */
export async function browserPath() {
  const found = systemBrowser();
  if (found) {
    if (!hasUsualFonts()) await installFromDebian('fonts-liberation');
    return found;
  }
  const { chromium } = await import('playwright');
  if (await exists(chromium.executablePath())) return undefined;
  console.log('Browser: none found; installing one');
  if ((await installFromDebian('chromium', 'fonts-liberation')) && systemBrowser()) return systemBrowser();
  await npm('exec', '--no', '--', 'playwright', 'install', 'chromium');
  return undefined;
}

function systemBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  // Some systems put a note in the browser's place that only says where to get it.
  return candidates.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
}

/**
 * Tells whether the system has Times New Roman, or a font with the same metrics. The pages' fallback fonts are fitted to it, and
 * Debian's Chromium comes without any.
 */
function hasUsualFonts() {
  const { status, stdout } = spawnSync('fc-match', ['Times New Roman'], { encoding: 'utf8' });
  return status !== 0 || /times|liberation|tinos/i.test(stdout);
}

/** Tries Debian's packages. False where there is no apt-get, no right to use it, or no such package. */
async function installFromDebian(...packages) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command, ...args] = [...asRoot, 'apt-get'];
  if (spawnSync(command, [...args, '--version']).status !== 0) return false;
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run(command, [...args, 'update', '-qq'], { env });
    await run(command, [...args, 'install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  } catch {
    return false;
  }
  return true;
}
