/** Share of a path's characters that may differ. */
const tolerance = 0.4;

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent characters that turn one text into
 * the other.
 */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length]!;
}

/**
 * Returns up to three known paths that the visitor may have meant, most likely first.
 * @param path an unknown path. A known path in another folder also matches if the last segments are similar.
 */
export function suggestionsFor(path: string, known: readonly string[]): string[] {
  const typed = plain(path);
  return known
    .map((candidate) => ({ candidate, distance: distanceOf(typed, plain(candidate)) }))
    .filter(({ distance }) => distance <= 1)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Returns the words of a path for the search. */
export function wordsOf(path: string): string {
  return plain(path)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the distance as a share of the allowed distance. Values up to 1 are similar enough. */
function distanceOf(typed: string, candidate: string): number {
  const whole = editDistance(typed, candidate) / (candidate.length * tolerance);
  const [end, candidateEnd] = [lastPart(typed), lastPart(candidate)];
  // Compares only the last segments. The different folder counts as one edit.
  const name = (editDistance(end, candidateEnd) + 1) / (candidateEnd.length * tolerance);
  return Math.min(whole, name);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function plain(path: string): string {
  let text = path;
  try {
    text = decodeURIComponent(path);
  } catch {
    // The path has an invalid escape sequence and is used without decoding.
  }
  while (text.endsWith('/')) text = text.slice(0, -1);
  return text
    .toLowerCase()
    .replace(/(\/index)?(\.html?|\.php|\.aspx?)?$/, '')
    .replaceAll('_', '-');
}
