import { experienceLabel } from '../../domain/application.ts';
import { serviceInterestLabel } from '../../domain/inquiry.ts';
import { placeOf } from '../../domain/submission.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Notice } from '../ui/Notice.tsx';
import { DeliveryDetail } from './DeliveryDetail.tsx';
import { ErasePerson } from './ErasePerson.tsx';
import { HoldSection } from './HoldSection.tsx';
import { NoteField } from './NoteField.tsx';
import { ResumeRow } from './ResumeRow.tsx';
import { SubmissionActions } from './SubmissionActions.tsx';
import { type Submission, cellsOf, isApplication, kindOf, kindNameOf } from './kinds.ts';
import type { Move } from './queries.ts';

interface SubmissionDetailProps {
  submission: Submission;
  readAt: number;
  onMove: (move: Move) => void;
  /** A move of this submission is on its way. */
  moving: boolean;
}

/** Everything about one submission. What the visitor wrote is shown as plain text only. */
export function SubmissionDetail({ submission, readAt, onMove, moving }: SubmissionDetailProps) {
  const held = placeOf(submission) === 'quarantine';
  const { message } = cellsOf(submission);
  return (
    <>
      {held && (
        <Notice title="Held in quarantine">
          <ul className="suspicions">
            {submission.suspicions.length > 0 ? (
              submission.suspicions.map((reason) => <li key={reason}>{reason}</li>)
            ) : (
              <li>Somebody moved it here.</li>
            )}
          </ul>
          <p>Release it, and it goes to the inbox; the messages that were held back are sent.</p>
        </Notice>
      )}

      <SubmissionActions submission={submission} onMove={onMove} moving={moving} />

      <dl className="inquiry-fields">
        <div>
          <dt>Email</dt>
          <dd>
            <span>{submission.email}</span>
            <CopyButton text={submission.email} what="email address" />
          </dd>
        </div>
        {isApplication(submission) ? (
          <>
            {submission.phone && (
              <div>
                <dt>Phone</dt>
                <dd>
                  <span>{submission.phone}</span>
                  <CopyButton text={submission.phone} what="phone number" />
                </dd>
              </div>
            )}
            <div>
              <dt>Position</dt>
              <dd>{submission.position || 'Not stated'}</dd>
            </div>
            <div>
              <dt>Experience</dt>
              <dd>{experienceLabel(submission.experience) || 'Not stated'}</dd>
            </div>
            <ResumeRow application={submission} />
          </>
        ) : (
          <>
            <div>
              <dt>Company</dt>
              <dd>{submission.company}</dd>
            </div>
            <div>
              <dt>Service</dt>
              <dd>{serviceInterestLabel(submission.serviceInterest)}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Received</dt>
          <dd>
            <DateTime iso={submission.createdAt} />
          </dd>
        </div>
        {submission.handledAt && (
          <div>
            <dt>Handled</dt>
            <dd>
              <DateTime iso={submission.handledAt} />
            </dd>
          </div>
        )}
        <div>
          <dt>Reference</dt>
          <dd>
            <span className="figures">{submission.reference}</span>
            <CopyButton text={submission.reference} what="reference" />
          </dd>
        </div>
      </dl>

      <h3>{kindOf(kindNameOf(submission)).columns.message}</h3>
      <p className="inquiry-message">{message || 'None was written.'}</p>

      <NoteField key={submission.id} submission={submission} />

      <h3>Delivery</h3>
      <DeliveryDetail submission={submission} readAt={readAt} />

      {!held && submission.suspicions.length > 0 && (
        <>
          <h3>Why it was in quarantine</h3>
          <ul className="suspicions">
            {submission.suspicions.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}

      {isApplication(submission) && <HoldSection key={`hold ${submission.id}`} application={submission} />}

      <ErasePerson email={submission.email} />
    </>
  );
}
