import type { CSSProperties, ReactNode, RefObject } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';

/** A column; its cells have the class `cell-` and its name. */
export interface Column {
  readonly name: string;
  readonly label: ReactNode;
  /** The rows are in the order of this column. */
  readonly ordered?: boolean;
}

interface HeadProps {
  /** The style sheet's name for the table. */
  look: string;
  columns: readonly Column[];
  /** The order of the rows by time. */
  sort: string;
}

interface ListTableProps extends HeadProps {
  label: string;
  /** Counted from 1. */
  page: number;
  /** The rows are those of the page before, or of the search before. */
  outdated: boolean;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
  children: ReactNode;
}

/**
 * A list as a table; where it is narrow the style sheet sets the same cells as a list. One row is in the tab order, and
 * arrow keys move it.
 */
export function ListTable({ look, columns, sort, label, page, outdated, bodyRef, children }: ListTableProps) {
  const rowsBefore = { '--rows-before': (page - 1) * defaultPageSize } as CSSProperties;
  return (
    <table className={`list-table ${look}`} aria-label={label} aria-busy={outdated} style={rowsBefore}>
      <Head columns={columns} sort={sort} />
      <tbody ref={bodyRef}>{children}</tbody>
    </table>
  );
}

/** A list while it is on its way, in the sizes that it will have. @param what such as `the posts`. */
export function ListTableSkeleton({ look, columns, sort, what }: HeadProps & { what: string }) {
  return (
    <>
      <p className="unseen" role="status">
        Loading {what}…
      </p>
      <table className={`list-table ${look}`} aria-hidden="true">
        <Head columns={columns} sort={sort} />
        <tbody>
          {Array.from({ length: 12 }, (_, row) => (
            <tr key={row} className="list-row">
              {columns.map(({ name }) => (
                <td key={name} className={`cell-${name}`}>
                  <span className="skeleton skeleton-text" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Head({ columns, sort }: Pick<HeadProps, 'columns' | 'sort'>) {
  const order = sort === 'createdAt' ? 'ascending' : 'descending';
  return (
    <thead>
      <tr>
        {columns.map(({ name, label, ordered }) => (
          <th key={name} scope="col" className={`cell-${name}`} aria-sort={ordered ? order : undefined}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
