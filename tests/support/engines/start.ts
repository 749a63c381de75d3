import type { TestProject } from 'vitest/node';
import { browserVariables } from '../../../scripts/browser.mjs';
import { bundle } from '../bundle.ts';
import { startFirefox } from './firefox.ts';
import type { StartedEngine } from './tab.ts';
import { startScreen } from './webkit.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    engine: StartedEngine;
  }
}

/** Starts the browser engine that the project is named after, once for all test files. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const { FIREFOX_PATH, WEBKIT_BROWSER_PATH, WEBKIT_DRIVER_PATH = 'WebKitWebDriver' } = await browserVariables();
  const program = project.name === 'firefox' ? FIREFOX_PATH : WEBKIT_BROWSER_PATH;
  if (!program) throw new Error(`This machine has no ${project.name}, and it could not be installed.`);
  const locators = await bundle(`import '/tests/support/engines/locators.ts';`);
  if (project.name === 'firefox') {
    const { url, stop } = await startFirefox(program);
    project.provide('engine', { name: 'firefox', url, locators });
    return stop;
  }
  const { screen, stop } = await startScreen(WEBKIT_DRIVER_PATH, program);
  project.provide('engine', { name: 'webkit', screen, locators });
  return stop;
}
