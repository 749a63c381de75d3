import { readFileSync } from 'node:fs';
import process from 'node:process';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Env, EnvError, readEnv } from '../netlify/server/env.ts';

/**
 * The environment of this process, completed from a file `.env` in the working folder where there is one. A variable that is
 * set already wins over the file.
 * @throws {EnvError} naming every variable that is missing or wrong.
 */
export function ownEnvironment(): Env {
  const before = process.env.NODE_EXTRA_CA_CERTS;
  loadEnvFile();
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (file !== undefined && file !== before) trustCertificates(file);
  return readEnv(process.env);
}

/**
 * Trusts the certificates of a PEM file. Node reads NODE_EXTRA_CA_CERTS before it runs any code, so a value from the file `.env`
 * would come too late.
 * @throws {EnvError} when the file cannot be read.
 */
export function trustCertificates(file: string): void {
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvError(`NODE_EXTRA_CA_CERTS cannot be used: ${reason}`);
  }
}

/** Completes `process.env` from a file `.env`, and warns of values that a `#` cuts off. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env');
    for (const name of cutValues(readFileSync('.env', 'utf8'))) {
      console.warn(`Warning: in .env the value of ${name} ends at its #. Put the whole value in quotation marks.`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Variables whose value is rarely followed by a comment, and often holds a `#`. */
const secret = /PASSWORD|SECRET|TOKEN|_URL$/;

/**
 * Variables of a `.env` file whose value is cut off at a `#`, which begins a comment outside quotation marks. A `#` after a
 * space is taken for a comment that is meant, except behind a secret.
 */
export function cutValues(file: string): string[] {
  const lines = file.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*([^\s"'`][^\n]*)$/gm);
  return [...lines].flatMap(([, name = '', value = '']) => {
    const at = value.indexOf('#');
    if (at === -1) return [];
    return secret.test(name) || (at > 0 && /\S/.test(value.charAt(at - 1))) ? [name] : [];
  });
}
