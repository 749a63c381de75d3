import { useEffect, useId, useRef, useState } from 'react';
import { type ApplicationRecord, leavingDays } from '../../domain/application.ts';
import { holdFields } from '../../domain/submission-actions.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { useHold } from './queries.ts';

/** Shows when an application will be deleted, and a button that prevents the deletion (a hold) or allows it again. */
export function HoldSection({ application }: { application: ApplicationRecord }) {
  const { hold, keptUntil } = application;
  const [asking, setAsking] = useState(false);
  const change = useHold({
    onSuccess: (held) => {
      setAsking(false);
      showToast(
        held
          ? { title: 'Kept after deletion date', description: 'We won’t delete it until someone allows the deletion.' }
          : {
              title: 'Deletion allowed',
              description: `We’ll email you ${leavingDays} days before we delete the application.`,
            },
      );
    },
    onError: (error) =>
      showToast({ title: 'Couldn’t save the change', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <>
      <h3>Retention</h3>
      {hold ? (
        <Notice title="Kept after deletion date">
          <p>{hold.reason}</p>
          <p>
            {hold.by} chose this on <DateTime iso={hold.at} />. We won’t delete the application until someone allows the
            deletion.
          </p>
        </Notice>
      ) : (
        <p>
          This application and its resume will be deleted on <DateTime iso={keptUntil} />.
        </p>
      )}
      {hold ? (
        <p>
          <Button
            icon="cross"
            onClick={() => change.mutate({ application, reason: null })}
            pending={change.isPending}
            pendingLabel="Saving…"
          >
            Allow deletion
          </Button>
        </p>
      ) : asking ? (
        <HoldForm
          pending={change.isPending}
          onKeep={(reason) => change.mutate({ application, reason })}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <p>
          <Button icon="hold" onClick={() => setAsking(true)}>
            Keep after deletion date…
          </Button>
        </p>
      )}
    </>
  );
}

interface HoldFormProps {
  pending: boolean;
  onKeep: (reason: string) => void;
  onCancel: () => void;
}

function HoldForm({ pending, onKeep, onCancel }: HoldFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  // The form replaces the button that had the focus, so the field takes the focus.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="field mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onKeep(reason);
        else field.current?.focus();
      }}
    >
      <label htmlFor={id}>{holdFields.reason.label}</label>
      <input
        ref={field}
        id={id}
        required
        maxLength={holdFields.reason.max}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="actions mt-2 *:max-md:grow">
        <Button type="submit" look="primary" pending={pending} pendingLabel="Saving…">
          Keep after deletion date
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
