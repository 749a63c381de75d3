import type { TestProject } from 'vitest/node';
import { browserVariables } from '../../../scripts/browser.mjs';
import { bundle } from '../bundle.ts';
import { startFirefox } from './firefox.ts';
import type { StartedEngine } from './tab.ts';
import { startWebkit } from './webkit.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    engine: StartedEngine;
  }
}

/** Starts the browser engine that the project is named after, once for all test files. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const { FIREFOX_PATH, WEBKIT_BROWSER_PATH, WEBKIT_DRIVER_PATH } = await browserVariables();
  const name = project.name === 'firefox' ? 'firefox' : 'webkit';
  const program = name === 'firefox' ? FIREFOX_PATH : WEBKIT_BROWSER_PATH;
  if (!program) throw new Error(`This machine has no ${project.name}, and it could not be installed.`);
  const { url, stop } = await (name === 'firefox'
    ? startFirefox(program)
    : startWebkit(WEBKIT_DRIVER_PATH ?? 'WebKitWebDriver'));
  const locators = await bundle(`import '/tests/support/engines/locators.ts';`);
  project.provide('engine', { name, url, program, locators });
  return stop;
}
