import { type InquiryRecord, serviceInterestLabel } from '../../domain/inquiry.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { DeliveryDetail } from './DeliveryDetail.tsx';
import type { Move } from './queries.ts';
import { replyAddress } from './reply.ts';

interface InquiryDetailProps {
  inquiry: InquiryRecord;
  readAt: number;
  onMove: (move: Move) => void;
  /** A move of this inquiry is on its way. */
  moving: boolean;
}

/** Everything about one inquiry. What the visitor wrote is shown as plain text only. */
export function InquiryDetail({ inquiry, readAt, onMove, moving }: InquiryDetailProps) {
  const held = inquiry.status === 'quarantine';
  return (
    <>
      {held && (
        <Notice title="Held in quarantine">
          <ul className="suspicions">
            {inquiry.suspicions.length > 0 ? (
              inquiry.suspicions.map((reason) => <li key={reason}>{reason}</li>)
            ) : (
              <li>Somebody moved it here.</li>
            )}
          </ul>
          <p>Release it, and it goes to the inbox; the mails that were held back are sent.</p>
        </Notice>
      )}

      <div className="inquiry-actions">
        <a className={`button button-${held ? 'secondary' : 'primary'}`} href={replyAddress(inquiry)}>
          <Icon name="reply" />
          <span>Reply by email</span>
        </a>
        {held ? (
          <Button
            look="primary"
            icon="tick"
            onClick={() => onMove({ inquiry, to: 'inbox' })}
            pending={moving}
            pendingLabel="Releasing…"
          >
            Release
          </Button>
        ) : (
          <Button icon="hold" onClick={() => onMove({ inquiry, to: 'quarantine' })} pending={moving}>
            Move to quarantine
          </Button>
        )}
      </div>

      <dl className="inquiry-fields">
        <div>
          <dt>Email</dt>
          <dd>
            <span>{inquiry.email}</span>
            <CopyButton text={inquiry.email} what="email address" />
          </dd>
        </div>
        <div>
          <dt>Company</dt>
          <dd>{inquiry.company}</dd>
        </div>
        <div>
          <dt>Service</dt>
          <dd>{serviceInterestLabel(inquiry.serviceInterest)}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            <DateTime iso={inquiry.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>
            <span className="figures">{inquiry.reference}</span>
            <CopyButton text={inquiry.reference} what="reference" />
          </dd>
        </div>
      </dl>

      <h3>Message</h3>
      <p className="inquiry-message">{inquiry.message}</p>

      <h3>Mail</h3>
      <DeliveryDetail inquiry={inquiry} readAt={readAt} />

      {!held && inquiry.suspicions.length > 0 && (
        <>
          <h3>Why it was in quarantine</h3>
          <ul className="suspicions">
            {inquiry.suspicions.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
