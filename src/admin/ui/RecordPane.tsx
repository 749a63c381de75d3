import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useMediaQuery } from '../lib/use-media-query.ts';
import { Dialog } from './Dialog.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import { Notice } from './Notice.tsx';
import { SidePanel } from './SidePanel.tsx';

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
  const Container = useMediaQuery('(width >= 64rem)') ? SidePanel : Dialog;
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
          <span className="unseen">Opening the {one}…</span>
          {skeleton}
        </div>
      )}
    </Container>
  );
}
