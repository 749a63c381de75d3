/** Excel reads a file as UTF-8 only if it begins with this mark. */
export const byteOrderMark = '\ufeff';

/**
 * Returns a row of CSV (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading apostrophe, so
 * opening an export never runs what a visitor typed.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${inert(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Spaces and invisible characters may precede the sign of a formula, which may also be in full width. */
function inert(cell: string): string {
  return /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
}
