import { join } from 'node:path';
import { root } from './toolchain.mjs';

/**
 * Completes the environment of the host process with what must be set before it starts. The owner's own values win.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function hostEnvironment(environment) {
  return {
    // The allocator of Linux (glibc) otherwise keeps what the threads for pictures, compression and the database free. With
    // these values it gives memory back: 326 MB in place of 557 MB while forty clients ask for pictures.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    // Code that was parsed at one start is not parsed again at the next.
    NODE_COMPILE_CACHE: join(root, '.cache/node'),
    ...environment,
  };
}
