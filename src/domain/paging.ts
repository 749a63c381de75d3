import * as z from 'zod/mini';

export const defaultPageSize = 50;
export const maxPageSize = 200;

/** The query of every list (decisions, 'Addresses and names beyond section 7'). */
export const listQuery = z.object({
  /** Words to search for; every word must be found, the last one as a beginning. */
  q: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  sort: z._default(z.enum(['-createdAt', 'createdAt'], 'Sort by createdAt or -createdAt.'), '-createdAt'),
  limit: z._default(
    z.coerce
      .number('The limit is a number.')
      .check(
        z.int('The limit is a whole number.'),
        z.gte(1),
        z.lte(maxPageSize, `The limit is at most ${maxPageSize}.`),
      ),
    defaultPageSize,
  ),
  /** As given by `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

/** One page of a list: `data` as specified (spec §3), `nextCursor` null on the last page. */
export function pageOf<T extends z.core.$ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.nullable(z.string()) });
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}
