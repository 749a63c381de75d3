import { execFile } from 'node:child_process';
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

export interface CommandResult {
  readonly code: number;
  /** Everything that the command printed. */
  readonly output: string;
}

/** Runs a command of `host/commands`, such as `admin`, with only these variables. */
export async function runCommand(
  name: string,
  args: readonly string[] = [],
  variables: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<CommandResult> {
  const program = join(import.meta.dirname, '../../../host/commands', `${name}.ts`);
  return await new Promise((resolve) => {
    const options = { cwd, env: commandEnvironment(variables) };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}
