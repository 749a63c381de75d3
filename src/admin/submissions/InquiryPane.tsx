import { ApiError } from '../../lib/api.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SidePanel } from '../ui/SidePanel.tsx';
import { useMedia } from '../ui/media.ts';
import { InquiryDetail } from './InquiryDetail.tsx';
import { type Move, useInquiry } from './queries.ts';

interface InquiryPaneProps {
  id: string;
  onClose: () => void;
  /** Shows the row before or after in the list; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onMove: (move: Move) => void;
  /** The inquiry whose move is on its way. */
  movingId: string | undefined;
}

/** The open inquiry: beside the list where there is room, else a dialog over it. */
export function InquiryPane({ id, onClose, onPrevious, onNext, onMove, movingId }: InquiryPaneProps) {
  const beside = useMedia('(width >= 64rem)');
  const { data: inquiry, error, isFetching, refetch, dataUpdatedAt } = useInquiry(id);

  const actions = (
    <div className="pane-steps">
      <IconButton icon="up" label="Previous inquiry" onClick={onPrevious} unavailable={!onPrevious} />
      <IconButton icon="down" label="Next inquiry" onClick={onNext} unavailable={!onNext} />
    </div>
  );
  const Container = beside ? SidePanel : Dialog;
  return (
    <Container title={inquiry?.fullName ?? 'Inquiry'} actions={actions} onClose={onClose} placement="drawer">
      {inquiry ? (
        <InquiryDetail inquiry={inquiry} readAt={dataUpdatedAt} onMove={onMove} moving={movingId === inquiry.id} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice title="There is no such inquiry">
          <p>The link may have been cut short. Search the list for a name, or for the reference.</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title="Could not open the inquiry"
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status" className="detail-skeleton">
          <span className="unseen">Opening the inquiry…</span>
          <span className="skeleton skeleton-bar" />
          <span className="skeleton skeleton-block" />
        </div>
      )}
    </Container>
  );
}
