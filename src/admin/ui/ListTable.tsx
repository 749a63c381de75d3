import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { defaultPageSize } from '../../domain/paging.ts';
import { opensElsewhere } from '../lib/location.ts';
import { useShownRows } from '../lib/shown-rows.ts';
import type { ShownList } from '../lib/use-list.ts';
import type { ActiveRow } from '../lib/use-row-navigation.ts';

/** A column. Its cells have the class `cell-NAME`. */
export interface Column {
  readonly name: string;
  readonly label: ReactNode;
  /** Whether the rows are sorted by this column. */
  readonly ordered?: boolean;
}

interface HeadProps {
  /** The class name for the table's own style sheet. A table with more than three columns needs a style sheet. */
  look?: string;
  columns: readonly Column[];
  /** `createdAt` if the oldest row is first; any other value if the newest is. */
  sort: string | undefined;
}

/** The props that a row gets from its list. An unchanged row gets equal props, so `memo` can skip the row. */
export interface RowProps {
  readonly index: number;
  readonly href: string;
  readonly open: boolean;
  /** Whether the Tab key reaches the row. */
  readonly active: boolean;
  readonly onActivate: (row: ActiveRow) => void;
}

interface ListTableProps<Row> extends Omit<HeadProps, 'sort'> {
  list: ShownList<Row>;
  label: string;
  /** Renders a row. */
  children: (row: Row, props: RowProps) => ReactNode;
}

/**
 * A list as a table. On narrow screens, the style sheet shows each row in several lines. The Tab key reaches only one
 * row, and the arrow keys move to the other rows.
 */
export function ListTable<Row extends { readonly id: string }>({
  list: { view, marked, rows, outdated, navigation, hrefOf },
  look = 'plain-table',
  columns,
  label,
  children,
}: ListTableProps<Row>) {
  const { body, activeId, activate } = navigation;
  const shownRows = useShownRows();
  const rowsBefore = { '--rows-before': (view.page - 1) * defaultPageSize } as CSSProperties;
  return (
    <table className={`tabular list-table ${look}`} aria-label={label} aria-busy={outdated} style={rowsBefore}>
      <Head columns={columns} sort={view.sort} />
      <tbody ref={body}>
        {rows.slice(0, shownRows).map((row, index) =>
          children(row, {
            index,
            href: hrefOf(row.id),
            open: marked === row.id,
            active: activeId === row.id,
            onActivate: activate,
          }),
        )}
      </tbody>
    </table>
  );
}

/** Returns the handlers of a row and of the links and buttons in it. */
export function rowHandlers(
  id: string,
  { index, active, onActivate }: Pick<RowProps, 'index' | 'active' | 'onActivate'>,
  onOpen: (id: string) => void,
) {
  const activate = () => onActivate({ id, index });
  return {
    onRowClick: (event: MouseEvent) => {
      if (opensElsewhere(event) || (event.target instanceof Element && event.target.closest('.cell-tools'))) return;
      event.preventDefault();
      // The user dragged to select text, so the row does not open.
      if (window.getSelection()?.type === 'Range') return;
      activate();
      onOpen(id);
    },
    /** The props of each link and button in the row. */
    control: { tabIndex: active ? 0 : -1, onFocus: activate },
  };
}

/**
 * Placeholders in the sizes of the rows, shown while the list loads.
 * @param what such as `the posts`.
 */
export function ListTableSkeleton({ look = 'plain-table', columns, sort, what }: HeadProps & { what: string }) {
  return (
    <>
      <p className="unseen" role="status">
        Loading {what}…
      </p>
      <table className={`tabular list-table ${look}`} aria-hidden="true">
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
