import { type MouseEvent, type ReactNode, useDeferredValue } from 'react';
import { defaultPageSize } from '../../domain/text/paging.ts';
import { onPlainClick } from '../lib/location.ts';
import type { ShownList } from './use-list.ts';

/** A column. Its cells have the class `cell-NAME`, for which list-table.css sets a width. */
export interface Column<Row> {
  readonly name: string;
  readonly label: ReactNode;
  /** Whether the rows are sorted by this column. */
  readonly ordered?: boolean;
  /** Whether this column names the row. Its cell contains a link that opens the row. */
  readonly heading?: true;
  readonly cell: (row: Row, link: (children: ReactNode) => ReactNode) => ReactNode;
}

/** The rows of the first render, if the open row is one of them. A low-priority render adds the rest, so a slow device shows the first rows soon. */
export const firstRows = 12;

interface ListTableProps<Row extends { readonly id: string }> {
  list: ShownList<Row>;
  columns: readonly Column<Row>[];
  label: string;
  onOpen: (id: string) => void;
  /** Whether a row needs to be looked at. Without this function, all rows look alike. */
  isNew?: (row: Row) => boolean;
}

/** A list as a table. On narrow screens, the style sheet shows each row in several lines. */
export function ListTable<Row extends { readonly id: string }>(props: ListTableProps<Row>) {
  const { list, columns, label, onOpen, isNew } = props;
  const { view, rows, outdated, hrefOf } = list;
  const openAt = rows.findIndex(({ id }) => id === view.open);
  const shownRows = useDeferredValue(defaultPageSize, Math.max(firstRows, openAt + 1));
  const order = view.sort === 'createdAt' ? 'ascending' : 'descending';
  return (
    <table
      className="tabular list-table table-fixed [--cell:0.25rem_0.75rem_0.25rem_0.5rem] aria-busy:opacity-50 @max-[76rem]/list:block"
      aria-label={label}
      aria-busy={outdated}
    >
      <thead className="@max-[76rem]/list:sr-only">
        <tr>
          {columns.map(({ name, label: text, ordered }) => (
            <th
              key={name}
              scope="col"
              className={`sticky top-0 z-1 h-9 bg-paper text-xs text-ink-soft [box-shadow:inset_0_1px_var(--color-rule-strong),inset_0_-1px_var(--color-rule-strong)] cell-${name}`}
              aria-sort={ordered ? order : undefined}
            >
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="@max-[76rem]/list:block @max-[76rem]/list:rule-t-rule-strong">
        {rows.slice(0, shownRows).map((row) => {
          const open = view.open === row.id || undefined;
          const marked = isNew?.(row);
          const link = (children: ReactNode) => (
            <a
              className="row-link @max-[44rem]/list:line-clamp-2 @max-[44rem]/list:wrap-anywhere @max-[44rem]/list:whitespace-normal"
              href={hrefOf(row.id)}
              aria-current={open}
            >
              {marked && <span className="sr-only">New: </span>}
              {children}
            </a>
          );
          // A click on the row opens it, except on the buttons in its last cell.
          const onClick = (event: MouseEvent) => {
            if (event.target instanceof Element && event.target.closest('.cell-tools')) return;
            // If the user dragged to select text, the row does not open.
            onPlainClick(() => window.getSelection()?.type !== 'Range' && onOpen(row.id))(event);
          };
          return (
            <tr
              key={row.id}
              className="list-row"
              data-row={row.id}
              data-open={open}
              data-new={marked}
              onClick={onClick}
            >
              {columns.map(({ name, heading, cell }) => {
                const Cell = heading ? 'th' : 'td';
                return (
                  <Cell
                    key={name}
                    scope={heading && 'row'}
                    className={`cell-${name} ${heading ? '' : 'text-ink-soft'}`}
                  >
                    {cell(row, link)}
                  </Cell>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
