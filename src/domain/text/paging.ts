import * as z from 'zod/mini';

export const defaultPageSize = 50;
export const maxPageSize = 200;
const limitMessage = `The limit must be a whole number from 1 to ${maxPageSize}.`;

/** Maximum length of the words of a search, in characters. */
export const longestSearch = 200;

/** Query parameters of every list (docs/product.md#api). */
export const listQuery = z.object({
  /** Search words. A record must contain every word. The last word also matches the beginning of a longer word. */
  q: z._default(
    z.string().check(z.trim(), z.maxLength(longestSearch, `Please use at most ${longestSearch} characters.`)),
    '',
  ),
  sort: z._default(z.enum(['-createdAt', 'createdAt'], 'Sort by createdAt or -createdAt.'), '-createdAt'),
  limit: z._default(
    z.coerce.number(limitMessage).check(z.int(limitMessage), z.gte(1, limitMessage), z.lte(maxPageSize, limitMessage)),
    defaultPageSize,
  ),
  /** The `nextCursor` of the previous page. */
  cursor: z.optional(z.string()),
});

/** Returns the schema of one page of a list. `nextCursor` is null on the last page. */
/* @__NO_SIDE_EFFECTS__ */
export function pageOf<T extends z.core.$ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.nullable(z.string()) });
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}
