import process from 'node:process';
import { type Env, readEnv } from '../netlify/server/env.ts';

/**
 * The environment of this process, completed from a file `.env` in the working folder where there is one. A variable that is
 * set already wins over the file.
 * @throws {EnvError} naming every variable that is missing or wrong.
 */
export function ownEnvironment(): Env {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return readEnv(process.env);
}
