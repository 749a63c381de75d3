import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { type Env, readEnv } from '../netlify/server/env.ts';

/**
 * Returns the environment of this process, completed from `.env` in the working folder if that file exists. Variables
 * of the process take precedence.
 * @throws {EnvError} with the name of every missing or invalid variable.
 */
export function ownEnvironment(): Env {
  loadEnvFile();
  return readEnv(process.env);
}

/** Completes `process.env` from `.env`, and warns about values that are cut off at a `#`. */
export function loadEnvFile(): void {
  if (!existsSync('.env')) return;
  process.loadEnvFile('.env');
  for (const name of cutValues(readFileSync('.env', 'utf8'))) {
    console.warn(`Warning: in .env the value of ${name} ends at the # sign. Put the whole value in quotation marks.`);
  }
}

/** Variables whose values often contain a `#`. A comment rarely follows these values. */
const secret = /PASSWORD|SECRET|TOKEN|_URL$/;

/**
 * Returns the variables of a `.env` file whose value is cut off at a `#`. Outside quotation marks, a `#` begins a
 * comment. Treats a `#` after a space as an intended comment, except in secrets.
 */
function cutValues(file: string): string[] {
  const lines = file.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*([^\s"'`][^\n]*)$/gm);
  return [...lines].flatMap(([, name = '', value = '']) => {
    const at = value.indexOf('#');
    if (at === -1) return [];
    return secret.test(name) || (at > 0 && /\S/.test(value.charAt(at - 1))) ? [name] : [];
  });
}
