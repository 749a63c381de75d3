import { folderOf } from '../../domain/submission.ts';
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

/** The actions that are available for a submission in its current folder. */
export function SubmissionActions({ submission, onMove, moving }: SubmissionActionsProps) {
  const folder = folderOf(submission);
  const held = folder === 'quarantine';
  return (
    <div className="actions *:max-md:grow">
      <a className={held ? 'button button-secondary' : 'button'} href={replyAddress(submission)}>
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
            icon={folder === 'inbox' ? 'tick' : 'again'}
            onClick={() => onMove({ submission, to: folder === 'inbox' ? 'handled' : 'inbox' })}
            pending={moving}
          >
            {folder === 'inbox' ? 'Mark as handled' : 'Reopen'}
          </Button>
          <Button icon="hold" onClick={() => onMove({ submission, to: 'quarantine' })} pending={moving}>
            Move to quarantine
          </Button>
        </>
      )}
    </div>
  );
}
