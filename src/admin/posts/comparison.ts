/** One line of two texts beside each other; null where one of them has nothing there. */
export interface ComparedLine {
  readonly left: string | null;
  readonly right: string | null;
  readonly same: boolean;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’', nbsp: ' ' };

/** The words of an HTML text, a line for each of its blocks; a picture is a line with its description. */
export function linesOf(html: string): string[] {
  return html
    .replace(/<img\b[^<>]*>/gi, (tag) => `\n[Picture: ${/\balt="([^"]*)"/i.exec(tag)?.[1] || 'no description'}]\n`)
    .replace(/(?:<\/p>\s*)?<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' | ')
    .replace(/<li\b[^<>]*>/gi, '\n• ')
    .replace(/<\/(p|h[1-6]|li|blockquote|pre|tr|div)>|<(br|hr)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /[^\s•|]/.test(line));
}

/** Puts two texts beside each other, so that lines which are the same stand at the same height. */
export function compareLines(left: readonly string[], right: readonly string[]): ComparedLine[] {
  // Lengths of the longest common rest, from each pair of places on.
  const rest = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const at = (i: number, j: number) => rest[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const row = rest[i];
    for (let j = right.length - 1; j >= 0 && row; j -= 1) {
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }

  const lines: ComparedLine[] = [];
  let [onlyLeft, onlyRight]: [string[], string[]] = [[], []];
  const settle = () => {
    for (let k = 0; k < Math.max(onlyLeft.length, onlyRight.length); k += 1) {
      lines.push({ left: onlyLeft[k] ?? null, right: onlyRight[k] ?? null, same: false });
    }
    [onlyLeft, onlyRight] = [[], []];
  };
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [mine, theirs] = [left[i], right[j]];
    if (mine !== undefined && mine === theirs) {
      settle();
      lines.push({ left: mine, right: mine, same: true });
      i += 1;
      j += 1;
    } else if (mine !== undefined && (theirs === undefined || at(i + 1, j) >= at(i, j + 1))) {
      onlyLeft.push(mine);
      i += 1;
    } else if (theirs !== undefined) {
      onlyRight.push(theirs);
      j += 1;
    }
  }
  settle();
  return lines;
}
