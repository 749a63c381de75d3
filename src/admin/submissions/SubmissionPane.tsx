import { IconButton } from '../ui/Button.tsx';
import { RecordPane } from '../ui/RecordPane.tsx';
import { SubmissionDetail } from './SubmissionDetail.tsx';
import { type KindName, kinds } from './kinds.ts';
import { type Move, useSubmission } from './queries.ts';

interface SubmissionPaneProps {
  list: KindName;
  id: string;
  onClose: () => void;
  /** Opens the previous row of the list; undefined if this submission is the first. `onNext` opens the next row. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onMove: (move: Move) => void;
  /** The id of the submission that is being moved. */
  movingId: string | undefined;
}

/** The panel with the open submission. */
export function SubmissionPane({ list, id, onClose, onPrevious, onNext, onMove, movingId }: SubmissionPaneProps) {
  const record = useSubmission(list, id);
  const { one } = kinds[list];
  return (
    <RecordPane
      one={one}
      title={record.data?.fullName ?? `Selected ${one}`}
      record={record}
      missing="The link may be incomplete. Search the list for the name or the reference."
      skeleton={
        <span className="grid">
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-block" />
        </span>
      }
      actions={
        <div className="flex">
          <IconButton icon="up" label={`Previous ${one}`} onClick={onPrevious} unavailable={!onPrevious} />
          <IconButton icon="down" label={`Next ${one}`} onClick={onNext} unavailable={!onNext} />
        </div>
      }
      onClose={onClose}
    >
      {(submission) => (
        <SubmissionDetail
          submission={submission}
          readAt={record.dataUpdatedAt}
          onMove={onMove}
          moving={movingId === submission.id}
        />
      )}
    </RecordPane>
  );
}
