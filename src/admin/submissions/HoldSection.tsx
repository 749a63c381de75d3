import { useEffect, useId, useRef, useState } from 'react';
import type { ApplicationRecord } from '../../domain/application.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useHold } from './queries.ts';

const longest = 500;

/** When an application is deleted, and the button that keeps it or lets it be deleted again. */
export function HoldSection({ application }: { application: ApplicationRecord }) {
  const { hold, keptUntil } = application;
  const [asking, setAsking] = useState(false);
  const change = useHold({
    onSuccess: (held) => {
      setAsking(false);
      showToast(
        held
          ? { title: 'Application kept', description: 'It is not deleted until somebody releases the hold.' }
          : { title: 'Hold released', description: 'You get an email 30 days before the application is deleted.' },
      );
    },
    onError: (error) =>
      showToast({ title: 'The hold was not changed', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <>
      <h3>Deletion</h3>
      {hold ? (
        <Notice title="Kept until you release it">
          <p>{hold.reason}</p>
          <p>
            Held by {hold.by} since <DateTime iso={hold.at} />.
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
            pendingLabel="Releasing…"
          >
            Release the hold
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
            Keep this application…
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
  // The button that had the focus is gone.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="note-field field"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onKeep(reason);
        else field.current?.focus();
      }}
    >
      <label htmlFor={id}>Reason for keeping it</label>
      <input
        ref={field}
        id={id}
        required
        maxLength={longest}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="inquiry-actions">
        <Button type="submit" look="primary" pending={pending} pendingLabel="Saving…">
          Keep this application
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
