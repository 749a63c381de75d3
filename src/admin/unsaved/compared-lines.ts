import { diffArrays } from 'diff';

/** One row of the side-by-side comparison. A side is null if its text has no line in this row. */
export interface ComparedLine {
  readonly left: string | null;
  readonly right: string | null;
  readonly same: boolean;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’', nbsp: ' ' };

/** Converts HTML to plain text with one line for each block. An image becomes a line with its description. */
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

interface Part {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

/**
 * The time limit of the comparison in milliseconds. Two long texts may exceed the limit if nearly every line differs.
 * The comparison then marks every line as different.
 */
const comparedMs = 500;

/** Aligns two texts so that equal lines share a row. */
export function compareLines(left: readonly string[], right: readonly string[]): ComparedLine[] {
  const parts: readonly Part[] = diffArrays([...left], [...right], { timeout: comparedMs }) ?? [
    { removed: true, value: left },
    { added: true, value: right },
  ];
  return parts.flatMap(({ added, removed, value }, index): ComparedLine[] => {
    if (!added && !removed) return value.map((line) => ({ left: line, right: line, same: true }));
    const [before, after] = [parts[index - 1], parts[index + 1]];
    if (added) return before?.removed ? [] : value.map((line) => ({ left: null, right: line, same: false }));
    // If the next part contains added lines, they replace the removed lines and go into the same rows.
    const instead = after?.added ? after.value : [];
    return Array.from({ length: Math.max(value.length, instead.length) }, (_, line) => ({
      left: value[line] ?? null,
      right: instead[line] ?? null,
      same: false,
    }));
  });
}
