import { join } from 'node:path';
import { root } from './toolchain.mjs';

/**
 * Options of Node for the host process. The site keeps 45 MB of JavaScript objects. With a limit near what it needs, V8
 * collects garbage at 65 MB; with its usual limit of several gigabytes, at 130 MB.
 */
export const hostOptions = ['--max-old-space-size=512'];

/**
 * Completes the environment of the host process with what must be set before it starts. The owner's own values win.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function hostEnvironment(environment) {
  return {
    // Linux's allocator (glibc) otherwise keeps memory that was freed. Pieces of files and bodies, 64 KB each, are given
    // back at once with these values: after an attack its heap holds 64 MB instead of 153 MB.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '32768',
    MALLOC_TRIM_THRESHOLD_: '131072',
    // Code that was parsed at one start is not parsed again at the next.
    NODE_COMPILE_CACHE: join(root, '.cache/node'),
    ...environment,
  };
}
