/** Numbers that look random and are the same for the same key. */
export interface Random {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number;
  /** A whole number of a range, both ends included. */
  between(least: number, most: number): number;
  /** True as often as `share` says, from 0 to 1. */
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffled<T>(choices: readonly T[]): T[];
  /** So many different ones, in their order; all of them where there are no more. */
  some<T>(choices: readonly T[], count: number): T[];
}

/**
 * Each thing that is made up has numbers of its own, so that it is the same however many others are made up before it.
 * @param key what it is: the run's seed, the noun, the index.
 */
export function randomOf(...key: (string | number)[]): Random {
  // FNV-1a for the key, mulberry32 for the numbers: small, quick, and good enough for names and dates.
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
