import type { SubmissionFolder } from '../../domain/submissions/submission.ts';
import type { IconName } from '../ui/Icon.tsx';

interface FolderMove {
  readonly to: SubmissionFolder;
  readonly label: string;
  readonly icon: IconName;
}

interface Folder {
  readonly label: string;
  /** The title of the toast after a submission moved to this folder. */
  readonly arrived: string;
  /** Says what belongs in the folder, while it is empty. */
  readonly empty: string;
  /** What an admin can do with a submission in this folder. Except in quarantine, the key `e` does the first. */
  readonly moves: readonly [FolderMove, ...FolderMove[]];
}

const toQuarantine: FolderMove = { to: 'quarantine', label: 'Move to quarantine', icon: 'hold' };

/** The folders of each list of submissions. */
export const folders: Readonly<Record<SubmissionFolder, Folder>> = {
  inbox: {
    label: 'Inbox',
    arrived: 'Back in the inbox',
    empty:
      'When someone submits a form on the website, the submission appears here. If email is set up, the site also emails the firm.',
    moves: [{ to: 'handled', label: 'Mark as handled', icon: 'tick' }, toQuarantine],
  },
  handled: {
    label: 'Handled',
    arrived: 'Moved to Handled',
    empty: 'To move a submission here, open it and select “Mark as handled,” or press E.',
    moves: [{ to: 'inbox', label: 'Reopen', icon: 'again' }, toQuarantine],
  },
  quarantine: {
    label: 'Quarantine',
    arrived: 'Moved to quarantine',
    empty: 'Submissions that look like spam stay here, with the reasons, until you release them.',
    moves: [{ to: 'inbox', label: 'Release to inbox', icon: 'tick' }],
  },
};
