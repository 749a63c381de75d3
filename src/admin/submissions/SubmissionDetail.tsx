import { Fragment } from 'react';
import type { Shown } from '../../domain/field-text.ts';
import { folderOf } from '../../domain/submission.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Fact } from '../ui/Fact.tsx';
import { Notice } from '../ui/Notice.tsx';
import { DeliveryDetail } from './DeliveryDetail.tsx';
import { ErasePerson } from './ErasePerson.tsx';
import { KeepField } from './KeepField.tsx';
import { NoteField } from './NoteField.tsx';
import { ResumeRow } from './ResumeRow.tsx';
import { SubmissionActions } from './SubmissionActions.tsx';
import { areEmailsSent } from './delivery-text.ts';
import { type Submission, isApplication } from './kinds.ts';
import type { Move } from './queries.ts';
import { isLong, shownOf } from './shown.ts';

interface SubmissionDetailProps {
  submission: Submission;
  readAt: number;
  onMove: (move: Move) => void;
  /** Whether a request that moves this submission is running. */
  moving: boolean;
}

/** All details of one submission. Visitors' text is rendered as plain text, never as HTML. */
export function SubmissionDetail({ submission, readAt, onMove, moving }: SubmissionDetailProps) {
  const held = folderOf(submission) === 'quarantine';
  const shown = shownOf(submission).filter(({ name }) => name !== 'fullName');
  return (
    <>
      {held && (
        <Notice title="Held in quarantine">
          <ul className="bullets">
            {submission.suspicions.length > 0 ? (
              submission.suspicions.map((reason) => <li key={reason}>{reason}</li>)
            ) : (
              <li>Someone moved it here.</li>
            )}
          </ul>
          <p>{releaseEffect(submission)}</p>
        </Notice>
      )}

      <SubmissionActions submission={submission} onMove={onMove} moving={moving} />

      <dl>
        {shown.map((one) => !isLong(one) && <FieldRow key={one.name} {...one} />)}
        {isApplication(submission) && <ResumeRow application={submission} />}
        <Fact label="Received">
          <DateTime iso={submission.createdAt} />
        </Fact>
        {submission.handledAt && (
          <Fact label="Handled">
            <DateTime iso={submission.handledAt} />
          </Fact>
        )}
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

      <NoteField key={submission.id} submission={submission} />

      <h3>Delivery</h3>
      <DeliveryDetail submission={submission} readAt={readAt} />

      {!held && submission.suspicions.length > 0 && (
        <>
          <h3>Why it was in quarantine</h3>
          <ul className="bullets">
            {submission.suspicions.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}

      {isApplication(submission) && <KeepField key={`keep ${submission.id}`} application={submission} />}

      <ErasePerson email={submission.email} />
    </>
  );
}

function releaseEffect(submission: Submission): string {
  const { firm, sender } = submission.delivery;
  const [one, notice, acknowledgment] = isApplication(submission)
    ? ['application', 'a notice to HR', 'an acknowledgment to the applicant']
    : ['inquiry', 'a notice to the firm', 'an acknowledgment to the visitor'];
  const effect = `Releasing this ${one} moves it to the inbox`;
  if (firm.status !== 'sent' && sender.status !== 'sent') {
    return `${effect} and sends two emails: ${notice} and ${acknowledgment}.`;
  }
  if (areEmailsSent(submission.delivery)) return `${effect}. Its emails were already sent and won’t be sent again.`;
  return `${effect} and sends ${firm.status === 'sent' ? acknowledgment : notice}. The other email was already sent and won’t be sent again.`;
}

function FieldRow({ field: { copied }, label, text }: Shown) {
  if (copied && !text) return null;
  return (
    <Fact label={label}>
      {copied ? (
        <>
          <span className="min-w-0">{text}</span>
          <CopyButton text={text} what={copied} />
        </>
      ) : (
        text || 'Not given'
      )}
    </Fact>
  );
}
