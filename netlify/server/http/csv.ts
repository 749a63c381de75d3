/** Excel reads UTF-8 only behind this mark. */
export const byteOrderMark = '\ufeff';

/**
 * A row of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it, so that
 * opening an export never runs what a stranger typed.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${inert(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function inert(cell: string): string {
  return /^[\s]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
