import { type CSSProperties, type MouseEvent, type ReactNode, useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';
import { opensElsewhere } from '../lib/location.ts';
import type { ShownList } from '../lib/use-list.ts';

/** A column. Its cells have the class `cell-NAME`, for which list-table.css sets a width. */
export interface Column {
  readonly name: string;
  readonly label: ReactNode;
  /** Whether the rows are sorted by this column. */
  readonly ordered?: boolean;
}

interface HeadProps {
  columns: readonly Column[];
  /** `createdAt` if the oldest row is first; any other value if the newest is. */
  sort: string | undefined;
}

/** The rows of the skeleton, and of the first render. A low-priority render adds the other rows. */
const firstRows = 12;

interface ListTableProps<Row extends { readonly id: string }> extends Omit<HeadProps, 'sort'> {
  list: ShownList<Row>;
  label: string;
  /** Renders a row. An unchanged row gets equal props, so `memo` can skip the row. */
  children: (row: Row, props: { readonly href: string; readonly open: boolean }) => ReactNode;
}

/** A list as a table. On narrow screens, the style sheet shows each row in several lines. */
export function ListTable<Row extends { readonly id: string }>({
  list: { view, rows, outdated, hrefOf },
  columns,
  label,
  children,
}: ListTableProps<Row>) {
  const shownRows = useDeferredValue(defaultPageSize, firstRows);
  const rowsBefore = { '--rows-before': (view.page - 1) * defaultPageSize } as CSSProperties;
  return (
    <table className="tabular list-table" aria-label={label} aria-busy={outdated} style={rowsBefore}>
      <Head columns={columns} sort={view.sort} />
      <tbody>
        {rows.slice(0, shownRows).map((row) => children(row, { href: hrefOf(row.id), open: view.open === row.id }))}
      </tbody>
    </table>
  );
}

/** Returns the props of a row. A click on the row opens it, except on the buttons in its last cell. */
export function rowProps(id: string, onOpen: (id: string) => void) {
  return {
    className: 'list-row',
    'data-row': id,
    onClick: (event: MouseEvent) => {
      if (opensElsewhere(event) || (event.target instanceof Element && event.target.closest('.cell-tools'))) return;
      event.preventDefault();
      // The user dragged to select text, so the row does not open.
      if (window.getSelection()?.type !== 'Range') onOpen(id);
    },
  };
}

/** Placeholders in the sizes of the rows, shown while the list loads. */
export function ListTableSkeleton({ columns, sort }: HeadProps) {
  return (
    <table className="tabular list-table" aria-hidden="true">
      <Head columns={columns} sort={sort} />
      <tbody>
        {Array.from({ length: firstRows }, (_, row) => (
          <tr key={row} className="list-row">
            {columns.map(({ name }) => (
              <td key={name} className={`cell-${name}`}>
                <span className="skeleton h-3 w-4/5" />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ columns, sort }: HeadProps) {
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
