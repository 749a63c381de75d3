import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Returns the environment for a command under test: these variables, PATH and NODE_COMPILE_CACHE. Omits all other
 * variables of this machine, so they have no effect. The compile cache halves the time in which a command starts.
 */
export function commandEnvironment(variables: Record<string, string> = {}): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE = join(tmpdir(), 'compile-cache') } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...variables };
}
