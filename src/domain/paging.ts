import * as z from 'zod/mini';

export const defaultPageSize = 50;
export const maxPageSize = 200;
const limitMessage = `The limit must be a whole number from 1 to ${maxPageSize}.`;

/** The query of every list (decisions, 'Addresses and names beyond section 7'). */
export const listQuery = z.object({
  /** Words to search for; every word must be found, the last one as a beginning. */
  q: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  sort: z._default(z.enum(['-createdAt', 'createdAt'], 'Sort by createdAt or -createdAt.'), '-createdAt'),
  limit: z._default(
    z.coerce.number(limitMessage).check(z.int(limitMessage), z.gte(1, limitMessage), z.lte(maxPageSize, limitMessage)),
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
