import type { Services } from '../services.ts';

/**
 * The most pairs of action and route that are counted separately until the counts are written to the activity log.
 * Further pairs share one count for each action.
 */
const mostKeys = 50;
/** A process writes its counts to the activity log at most once in this time. */
const writeEveryMs = 60_000;

interface Counted {
  readonly action: string;
  readonly subject: string;
  count: number;
}

let counts = new Map<string, Counted>();
let lastWritten = Number.NEGATIVE_INFINITY;

const actions = {
  forbidden: 'blocked a request (403)',
  tooMany: 'blocked a request that came too fast (429)',
} as const;

/**
 * Counts a refusal in memory, so a flood needs only one map entry. Stores nothing about the visitor.
 * @param route the pattern of a route, such as `/api/contact`, because the visitor's own path could contain personal
 * data.
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

/** Writes the counts of refusals to the activity log. If that fails, they stay in memory for the next attempt. */
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

/** Returns true if there are counts to write and the last write was at least {@link writeEveryMs} ago. */
export function isTrailDue(): boolean {
  return counts.size > 0 && performance.now() - lastWritten >= writeEveryMs;
}
