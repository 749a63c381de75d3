import { clockText, dayTimeText } from '../../lib/dates.ts';
import { errorText } from '../lib/act.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { BackupState } from './backup.ts';

interface UnsavedLineProps {
  unsaved: {
    readonly backedUp: BackupState;
    readonly changed: boolean;
    readonly discard: () => void;
    readonly retry: () => void;
    readonly signIn: () => void;
  };
}

/** Says whether there are unsaved changes, and where they are stored: on the server, on this device, or nowhere. */
export function UnsavedLine({ unsaved: { backedUp, changed, discard, retry, signIn } }: UnsavedLineProps) {
  const { where, reason } = backedUp;
  const failed = changed && (where === 'device' || where === 'nowhere');
  return (
    <div
      className={`unsaved-line flex min-h-(--control) min-w-0 flex-[1_1_12rem] flex-wrap items-center gap-x-2 ${failed ? 'text-alert' : 'text-ink-soft'}`}
    >
      <p role="status" className="flex min-w-0 items-center gap-2">
        <Icon name={failed ? 'warning' : changed ? 'clock' : 'tick'} />
        <span>{changed ? changesText(backedUp) : 'No changes to save'}</span>
      </p>
      {failed &&
        (reason === 'signed-out' ? (
          <Button look="quiet" onClick={signIn}>
            Sign in
          </Button>
        ) : (
          <Button look="quiet" onClick={retry}>
            Retry
          </Button>
        ))}
      {changed && (
        <Button
          look="quiet"
          onClick={(event) => {
            // The button disappears, and its focus would be lost.
            event.currentTarget.closest('form, dialog')?.querySelector<HTMLElement>('textarea, input')?.focus();
            discard();
          }}
        >
          Discard
        </Button>
      )}
    </div>
  );
}

function changesText({ where, at, reason, error }: BackupState): string {
  if (where === 'nowhere') return `Couldn’t back up your changes: ${errorText(error)}`;
  if (where !== 'device') return at ? `Unsaved changes from ${momentText(at)}` : 'Unsaved changes';
  if (reason === 'signed-out') return 'Your session has ended. Your unsaved changes are kept on this device.';
  if (reason === 'offline') return 'No connection. Your unsaved changes are kept on this device.';
  return `Your unsaved changes are kept on this device only. ${errorText(error)}`;
}

/** Returns a time as the time of day if it is today, else with its date. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clockText(date) : dayTimeText(iso);
}
