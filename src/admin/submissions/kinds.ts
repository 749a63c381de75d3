import type * as z from 'zod/mini';
import type { SubmissionPaths } from '../../domain/api-paths.ts';
import { type Fields, type Shown, shownFields } from '../../domain/field.ts';
import type { Page } from '../../domain/paging.ts';
import {
  type SubmissionCounts,
  type SubmissionFolder,
  type SubmissionListQuery,
  folderOf,
  submissionListQuery,
} from '../../domain/submission.ts';
import { type Submission, isApplication, submissionKinds } from '../../domain/submission-kinds.ts';
import { type AdminList, adminList } from '../lists/list.ts';
import type { IconName } from '../ui/Icon.tsx';

/** One of a submission's messages: an email to the firm, an email to the sender, or a message to the firm's chat. */
export type MessageId = keyof Submission['delivery'];

export type SubmissionPage = Page<Submission> & { counts: SubmissionCounts };

type Filters = Pick<SubmissionListQuery, 'status' | 'sort'>;
const { status, sort } = submissionListQuery.shape;

export type KindName = 'inquiries' | 'applications';

interface Kind {
  readonly one: string;
  readonly many: KindName;
  /** For headings and for the accessible name of the list. */
  readonly title: string;
  readonly record: z.core.$ZodType<Submission>;
  readonly paths: SubmissionPaths;
  readonly fields: Fields;
  readonly list: AdminList<Filters, SubmissionPage>;
}

const listOf = (
  { many, page, paths }: { many: KindName; page: z.core.$ZodType<SubmissionPage>; paths: SubmissionPaths },
  url: { openIn: string; openAlsoIn?: string; inUrl: Readonly<Record<string, string>> },
) =>
  adminList<Filters, SubmissionPage>({
    path: paths.list,
    schema: page,
    key: ['submissions', 'list', many],
    many,
    filters: { status, sort },
    totalOf: ({ counts }, view) => counts[view.status],
    shows: (row, view) => folderOf(row) === view.status,
    ...url,
  });

/** The two lists under Contact Submissions. The keys are the values of the URL's `list` parameter. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  inquiries: {
    ...submissionKinds.inquiry,
    title: 'Inquiries',
    list: listOf(submissionKinds.inquiry, { inUrl: { tab: 'submissions' }, openIn: 'submission' }),
  },
  applications: {
    ...submissionKinds.application,
    title: 'Applications',
    list: listOf(submissionKinds.application, {
      inUrl: { tab: 'submissions', list: 'applications' },
      openIn: 'application',
      openAlsoIn: 'submission',
    }),
  },
};

export const kindOf = (submission: Submission): Kind => kinds[isApplication(submission) ? 'applications' : 'inquiries'];

/** Returns the fields of a submission as text. */
export const shownOf = (submission: Submission): Shown[] => shownFields(kindOf(submission).fields, submission);

/** Whether a field contains multiline text, which is shown below the other fields. */
export const isLong = ({ field }: Shown): boolean => field.kind === 'lines';

/** Returns the list that a URL's query names. A link in an email names only the application. */
export function kindIn(search: string): KindName {
  const parameters = new URLSearchParams(search);
  return parameters.get('list') === 'applications' || parameters.has('application') ? 'applications' : 'inquiries';
}

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
    empty: 'When someone sends a form of the website, it appears here. If email is set up, you also get an email.',
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
    moves: [{ to: 'inbox', label: 'Release', icon: 'tick' }],
  },
};
