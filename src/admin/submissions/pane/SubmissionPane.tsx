import { Fragment } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type ApplicationRecord, leavingDays } from '../../../domain/submissions/application.ts';
import type { Shown } from '../../../domain/field.ts';
import { sizeText } from '../../../domain/text/text.ts';
import { folderOf } from '../../../domain/submissions/submission.ts';
import { type Submission, isApplication } from '../../../domain/submissions/submission-kinds.ts';
import type { ShownList } from '../../lists/use-list.ts';
import { Button, CopyButton, IconButton } from '../../ui/Button.tsx';
import { DateTime, Fact } from '../../ui/Fact.tsx';
import { DownloadButton } from '../../ui/DownloadButton.tsx';
import { Check } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RecordPane } from '../../lists/RecordPane.tsx';
import { Delivery } from './Delivery.tsx';
import { ErasePerson } from './ErasePerson.tsx';
import { NoteField } from './NoteField.tsx';
import { folders } from '../folders.ts';
import { type KindName, isLong, kinds, shownOf } from '../kinds.ts';
import { type Move, useKeep, useSubmission } from '../queries.ts';
import { replyAddress } from './reply.ts';

interface SubmissionPaneProps {
  list: ShownList<Submission>;
  kind: KindName;
  /** The id of the open submission. */
  id: string;
  onMove: (move: Move) => void;
  /** The id of the submission that is being moved. */
  movingId: string | undefined;
}

/** The panel with the open submission. */
export function SubmissionPane({ list, kind, id, onMove, movingId }: SubmissionPaneProps) {
  const record = useSubmission(kind, id);
  const { one } = kinds[kind];
  const stepButton = (by: 1 | -1) => (
    <IconButton
      icon={by === 1 ? 'down' : 'up'}
      label={`${by === 1 ? 'Next' : 'Previous'} ${one}`}
      onClick={() => list.step(by)}
      unavailable={!list.neighbor(by)}
    />
  );
  return (
    <RecordPane
      one={one}
      title={record.data?.fullName ?? `Selected ${one}`}
      record={record}
      missing="The link may be incomplete. Search the list for the name or the reference."
      actions={
        <div className="flex">
          {stepButton(-1)}
          {stepButton(1)}
        </div>
      }
      onClose={list.close}
    >
      {(submission) => (
        <>
          {submission.status === 'quarantine' && <Suspicions submission={submission} />}
          <div className="actions *:max-md:grow">
            <a
              className={submission.status === 'quarantine' ? 'button button-secondary' : 'button'}
              href={replyAddress(submission)}
            >
              <Icon name="reply" />
              <span>Reply by email</span>
            </a>
            {folders[folderOf(submission)].moves.map(({ to, label, icon }) => (
              <Button
                key={to}
                look={submission.status === 'quarantine' ? 'primary' : 'secondary'}
                icon={icon}
                onClick={() => onMove({ submission, to })}
                pending={movingId === id}
              >
                {label}
              </Button>
            ))}
          </div>
          <Facts submission={submission} />
          <Fragment key={id}>
            <NoteField submission={submission} />
            <h3>Delivery</h3>
            <Delivery submission={submission} />
            {submission.status !== 'quarantine' && <Suspicions submission={submission} />}
            {isApplication(submission) && <Retention application={submission} />}
            <ErasePerson email={submission.email} />
          </Fragment>
        </>
      )}
    </RecordPane>
  );
}

/** Says why a submission is or was in quarantine, and what a release does. Shows nothing if it never was there. */
function Suspicions({ submission: { status, suspicions } }: { submission: Submission }) {
  const held = status === 'quarantine';
  if (!held && suspicions.length === 0) return null;
  return (
    <Notice title={held ? 'In quarantine' : 'Why this submission was in quarantine'}>
      <ul className="ps-4.5 list-[square]">
        {(suspicions.length > 0 ? suspicions : ['An admin moved this submission here.']).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {held && (
        <p>
          If you release this submission, it moves to the inbox, and the site sends the unsent messages under
          “Delivery.”
        </p>
      )}
    </Notice>
  );
}

/** What the visitor sent. The text is rendered as plain text, never as HTML. */
function Facts({ submission }: { submission: Submission }) {
  const shown = shownOf(submission).filter(({ name }) => name !== 'fullName');
  return (
    <>
      <dl>
        {shown.map((one) => !isLong(one) && <FieldRow key={one.name} {...one} />)}
        {isApplication(submission) && <Resume application={submission} />}
        <Fact label="Received" iso={submission.createdAt} />
        <Fact label="Handled" iso={submission.handledAt} />
        <Fact label="Reference">
          <span className="figures">{submission.reference}</span>
          <CopyButton text={submission.reference} what="reference" />
        </Fact>
      </dl>
      {shown.filter(isLong).map(({ name, label, text }) => (
        <Fragment key={name}>
          <h3>{label}</h3>
          <p className="inquiry-message">{text || 'None'}</p>
        </Fragment>
      ))}
    </>
  );
}

function FieldRow({ field: { copied }, label, text }: Shown) {
  if (copied && !text) return null;
  return (
    <Fact label={label}>
      <span className="min-w-0 py-1">{text || 'Not given'}</span>
      {copied && <CopyButton text={text} what={copied} />}
    </Fact>
  );
}

/** The resume's file name, type and size, and a download button. */
function Resume({ application: { id, resume } }: { application: ApplicationRecord }) {
  return (
    <Fact label="Resume">
      <div className="flex flex-1 flex-wrap items-center justify-between gap-2 py-1">
        <span className="min-w-0">
          {resume.name}{' '}
          <span className="text-ink-soft">{`${resume.kind.toUpperCase()}, ${sizeText(resume.size)}`}</span>
        </span>
        <DownloadButton href={apiPaths.applications.resume(id)} failure="Couldn’t download the resume">
          Download
        </DownloadButton>
      </div>
    </Fact>
  );
}

/** Shows when an application will be deleted, with a check box that keeps it. */
function Retention({ application }: { application: ApplicationRecord }) {
  const keep = useKeep();
  const kept = keep.isPending ? keep.variables.kept : application.kept;
  return (
    <>
      <h3>Retention</h3>
      <p>
        {kept ? (
          <>
            The site won’t delete this application automatically. If you clear the box, the site will email the admins{' '}
            {leavingDays} days before it deletes the application.
          </>
        ) : (
          <>
            This application and its resume will be deleted on <DateTime iso={application.keptUntil} exact />.
          </>
        )}
      </p>
      <Check
        label="Keep after deletion date"
        checked={kept}
        disabled={keep.isPending}
        onChange={(event) => keep.mutate({ application, kept: event.target.checked })}
      />
    </>
  );
}
