import { placeOf } from '../../domain/submission.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Submission } from './kinds.ts';
import type { Move } from './queries.ts';
import { replyAddress } from './reply.ts';

interface SubmissionActionsProps {
  submission: Submission;
  onMove: (move: Move) => void;
  moving: boolean;
}

/** What can be done with a submission in the place where it is. */
export function SubmissionActions({ submission, onMove, moving }: SubmissionActionsProps) {
  const place = placeOf(submission);
  const held = place === 'quarantine';
  return (
    <div className="inquiry-actions">
      <a className={`button button-${held ? 'secondary' : 'primary'}`} href={replyAddress(submission)}>
        <Icon name="reply" />
        <span>Reply by email</span>
      </a>
      {held ? (
        <Button
          look="primary"
          icon="tick"
          onClick={() => onMove({ submission, to: 'inbox' })}
          pending={moving}
          pendingLabel="Releasing…"
        >
          Release
        </Button>
      ) : (
        <>
          <Button
            icon={place === 'inbox' ? 'tick' : 'again'}
            onClick={() => onMove({ submission, to: place === 'inbox' ? 'handled' : 'inbox' })}
            pending={moving}
          >
            {place === 'inbox' ? 'Mark as handled' : 'Open again'}
          </Button>
          <Button icon="hold" onClick={() => onMove({ submission, to: 'quarantine' })} pending={moving}>
            Move to quarantine
          </Button>
        </>
      )}
    </div>
  );
}
