/** A deterministic random number generator: the same key produces the same numbers. */
export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** Returns true with a probability of `share`, from 0 to 1. */
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffled<T>(choices: readonly T[]): T[];
  /** Returns `count` different items in their original order, or all items if there are not enough. */
  some<T>(choices: readonly T[], count: number): T[];
}

/**
 * Creates a separate sequence of numbers for each generated item, so an item does not depend on earlier items.
 * @param key identifies the item: the seed of the run, the kind of item, the index.
 */
export function randomOf(...key: (string | number)[]): Random {
  // FNV-1a hashes the key, and mulberry32 generates the numbers. Both are small, fast, and random enough for names and
  // dates.
  let state = 0x811c9dc5;
  for (const character of key.join(':')) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const shuffled = <T>(choices: readonly T[]): T[] => {
    const left = [...choices];
    return choices.map(() => left.splice(below(left.length), 1)[0]!);
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (share) => next() < share,
    pick: (choices) => choices[below(choices.length)]!,
    shuffled,
    some: (choices, count) => {
      const taken = new Set(shuffled([...choices.keys()]).slice(0, count));
      return choices.filter((_, index) => taken.has(index));
    },
  };
}
