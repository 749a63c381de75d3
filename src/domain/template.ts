import * as z from 'zod/mini';
import { longestDescription } from './description.ts';

const cell = z.string();

/** A checklist or worksheet that readers can download: `content/templates/{name}.json`. */
export const templateContent = z
  .object({
    /** Position in lists. */
    order: z.number(),
    title: z.string(),
    /** Description for search engines and the sitemap page. */
    description: z.string().check(z.maxLength(longestDescription)),
    keywords: z.array(z.string()),
    /** How to use the template, in one or two sentences. */
    use: z.string(),
    /** File name, without .mdx, of the article that explains the template. */
    article: z.string(),
    /** The first column groups the rows. */
    columns: z.array(cell).check(z.minLength(2)),
    /** A cell that begins with `=` is a spreadsheet formula, in which row 1 is the header. */
    rows: z.array(z.array(cell)).check(z.minLength(1)),
  })
  .check(
    z.refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length), {
      error: 'Every row needs one cell for each column; leave a cell empty for the reader to fill in.',
    }),
  );

/** Returns a table as CSV (RFC 4180), for spreadsheets. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}
