import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { Dialog, PaneHead } from './Dialog.tsx';
import { FailureNotice, Notice } from './Notice.tsx';

interface RecordPaneProps<T> {
  /** The noun for this kind of record, such as `file`. */
  one: string;
  title: string;
  record: UseQueryResult<T>;
  /** Explains why the record may not exist, and what to do. */
  missing: string;
  /** Shown while the record loads. */
  skeleton: ReactNode;
  /** Buttons next to Close. */
  actions?: ReactNode;
  onClose: () => void;
  children: (record: T) => ReactNode;
}

/** The open row of a list: a panel next to the list on wide screens, and a dialog on narrow screens. */
export function RecordPane<T>({ one, title, record, missing, skeleton, children, ...pane }: RecordPaneProps<T>) {
  const { data, error, isFetching, refetch } = record;
  // The container does not change with the width of the screen, for example when a person turns a tablet, because React
  // would mount its contents again and close the dialogs in it.
  const [Container] = useState(() => (window.matchMedia('(width >= 64rem)').matches ? SidePanel : Dialog));
  return (
    <Container title={title} placement="drawer" {...pane}>
      {data !== undefined ? (
        children(data)
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice title={`We couldn’t find this ${one}`}>
          <p>{missing}</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title={`Couldn’t open the ${one}`}
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status">
          <span className="sr-only">Opening the {one}…</span>
          {skeleton}
        </div>
      )}
    </Container>
  );
}

interface SidePanelProps {
  title: string;
  onClose: () => void;
  actions?: ReactNode;
  children: ReactNode;
}

/** A panel next to a list. The list stays usable. The panel takes the focus when it opens. */
function SidePanel({ title, onClose, actions, children }: SidePanelProps) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();

  useEffect(() => ref.current?.focus({ preventScroll: true }), []);

  return (
    <section ref={ref} className="side-panel" aria-labelledby={titleId} tabIndex={-1}>
      <PaneHead titleId={titleId} title={title} actions={actions} onClose={onClose} />
      <div className="pane-body">{children}</div>
    </section>
  );
}
