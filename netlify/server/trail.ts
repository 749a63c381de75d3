import type { Services } from './services.ts';

/** Different refusals that are counted separately between two writes. Further ones share one count. */
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
 * Counts a refusal in memory, so a flood costs one map entry. Keeps nothing about the visitor.
 * @param route the pattern of a route, such as `/api/contact`, and never the visitor's own path.
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

/** Writes the counts into the activity record. Keeps them if that fails. */
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

/** Tells whether the counts should be written now, because a function on Netlify may end at any time. */
export function isTrailDue(): boolean {
  return counts.size > 0 && performance.now() - lastWritten >= writeEveryMs;
}
