import { join } from 'node:path';
import { root } from './toolchain.mjs';

/**
 * Node options for the host process, in MB.
 * - The heap limit: V8 collects garbage earlier if the limit is low. The site has 45 MB of JavaScript objects. V8
 *   collects garbage at 65 MB with this limit, and at 130 MB with the default limit of several gigabytes.
 * - The size of a semi-space: the memory for new objects is three times as large, so 24 MB instead of 48 MB. A flood of
 *   requests takes less memory, and each collection of new objects is shorter.
 */
export const hostOptions = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/**
 * Completes the environment of the host process with variables that must be set before it starts. The owner's own
 * values take precedence.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function hostEnvironment(environment) {
  return {
    // By default, Linux's allocator (glibc) keeps freed memory for later. With these values, it immediately returns
    // freed blocks of files and request bodies (64 KB each) to the system. After a flood of requests, the allocator
    // holds 64 MB instead of 153 MB. A lower threshold would include the blocks of V8's compiler (32 KB), and a start
    // would take 30 ms longer.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '131072',
    // Caches compiled code, so the next start does not compile the same code again.
    NODE_COMPILE_CACHE: join(root, '.cache/node'),
    ...environment,
  };
}
