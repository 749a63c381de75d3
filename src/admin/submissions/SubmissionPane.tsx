import { ApiError } from '../../lib/api.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SidePanel } from '../ui/SidePanel.tsx';
import { useMedia } from '../ui/media.ts';
import { SubmissionDetail } from './SubmissionDetail.tsx';
import { type KindName, kinds } from './kinds.ts';
import { type Move, useSubmission } from './queries.ts';

interface SubmissionPaneProps {
  list: KindName;
  id: string;
  onClose: () => void;
  /** Shows the row before or after in the list; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onMove: (move: Move) => void;
  /** The submission whose move is on its way. */
  movingId: string | undefined;
}

/** The open submission: beside the list where there is room, else a dialog over it. */
export function SubmissionPane({ list, id, onClose, onPrevious, onNext, onMove, movingId }: SubmissionPaneProps) {
  const beside = useMedia('(width >= 64rem)');
  const { data: submission, error, isFetching, refetch, dataUpdatedAt } = useSubmission(list, id);
  const { one } = kinds[list];

  const actions = (
    <div className="pane-steps">
      <IconButton icon="up" label={`Previous ${one}`} onClick={onPrevious} unavailable={!onPrevious} />
      <IconButton icon="down" label={`Next ${one}`} onClick={onNext} unavailable={!onNext} />
    </div>
  );
  const Container = beside ? SidePanel : Dialog;
  return (
    <Container
      title={submission?.fullName ?? `Opening the ${one}`}
      actions={actions}
      onClose={onClose}
      placement="drawer"
    >
      {submission ? (
        <SubmissionDetail
          submission={submission}
          readAt={dataUpdatedAt}
          onMove={onMove}
          moving={movingId === submission.id}
        />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice title={`There is no such ${one}`}>
          <p>The link may have been cut short. Search the list for a name, or for the reference.</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title={`Could not open the ${one}`}
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status" className="detail-skeleton">
          <span className="unseen">Opening the {one}…</span>
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-block" />
        </div>
      )}
    </Container>
  );
}
