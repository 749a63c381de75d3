import * as z from 'zod/mini';
import { listQuery } from '../../domain/paging.ts';
import type { PagePlace } from './paging.ts';

/** What of a list is shown. It stands in the address, so that reload, back and a copied link keep it. */
export interface ListView<Status, Sort> extends PagePlace {
  readonly status: Status;
  readonly q: string;
  readonly sort: Sort;
}

const { q, cursor } = listQuery.shape;
const pageNumber = z.coerce.number().check(z.int(), z.gte(2), z.lte(1_000_000));

/** One parameter of an address. What the schema does not understand counts as not said. */
export function readParameter<T>(
  parameters: URLSearchParams,
  name: string,
  schema: z.ZodMiniType<T>,
  otherwise: NoInfer<T>,
): T {
  const value = parameters.get(name);
  const parsed = value === null ? undefined : schema.safeParse(value);
  return parsed?.success ? parsed.data : otherwise;
}

/** Reads a list's part of an address's query. @param first what is shown where the address says nothing. */
export function readListView<Status, Sort>(
  parameters: URLSearchParams,
  shape: { readonly status: z.ZodMiniType<Status>; readonly sort: z.ZodMiniType<Sort> },
  first: NoInfer<ListView<Status, Sort>>,
): ListView<Status, Sort> {
  const after = readParameter(parameters, 'after', cursor, undefined);
  return {
    status: readParameter(parameters, 'status', shape.status, first.status),
    q: readParameter(parameters, 'q', q, first.q),
    sort: readParameter(parameters, 'sort', shape.sort, first.sort),
    page: after === undefined ? 1 : readParameter(parameters, 'page', pageNumber, 2),
    after,
  };
}

/** The address's query for a view; what goes without saying, as `first` has it, is left out. */
export function viewSearch<View extends object>(view: View, first: View): string {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(first) as (keyof View & string)[]) {
    const value = view[name];
    if (value !== undefined && value !== first[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
