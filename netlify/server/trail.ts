import type { Services } from './services.ts';

/** Different refusals that are counted apart between two writes; the rest is counted together. */
const mostKeys = 50;
/** Counts are written no more often than this by one process. */
const writeEveryMs = 60_000;

interface Counted {
  readonly action: string;
  readonly subject: string;
  count: number;
}

let counts = new Map<string, Counted>();
let lastWritten = Number.NEGATIVE_INFINITY;

const actions = {
  forbidden: 'refused (403)',
  tooMany: 'refused for too many requests (429)',
} as const;

/**
 * Counts a refusal for the trail, in memory: a flood of them costs a map entry. Nothing about the visitor is kept.
 * @param route the pattern of a route, never the visitor's own words: `/api/contact`.
 */
export function countRefusal(what: keyof typeof actions, route: string): void {
  const action = actions[what];
  const own = `${action} ${route}`;
  const known = counts.has(own) || counts.size < mostKeys;
  const key = known ? own : `${action} elsewhere`;
  const counted = counts.get(key);
  if (counted) counted.count += 1;
  else counts.set(key, { action, subject: known ? route : 'other addresses', count: 1 });
}

/** Writes what was counted into the trail. What cannot be written is counted on. */
export async function writeTrail({ stores, now }: Services): Promise<void> {
  lastWritten = performance.now();
  if (counts.size === 0) return;
  const written = counts;
  counts = new Map();
  const at = now().toISOString();
  try {
    await stores.activity.addRefusals([...written.values()].map((one) => ({ ...one, at })));
  } catch (error) {
    for (const [key, one] of written) {
      const since = counts.get(key);
      if (since) since.count += one.count;
      else if (counts.size < mostKeys * 2) counts.set(key, one);
    }
    throw error;
  }
}

/** Whether a process that may soon end, as a function on Netlify may, is to write what it counted. */
export function isTrailDue(): boolean {
  return counts.size > 0 && performance.now() - lastWritten >= writeEveryMs;
}
