import { diffWords } from 'diff';
import { NetworkError } from '../../lib/request/api.ts';
import { momentText } from '../../lib/dates.ts';
import { isSignedOut } from '../lib/signed-in-request.ts';
import { Button, copyText } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import type { Text } from './unsaved-state.ts';
import type { useUnsaved } from './use-unsaved.ts';
import { errorText } from '../lib/act.ts';
import { Icon } from '../ui/Icon.tsx';
import type { BackupState } from './backup.ts';

interface UnsavedChoicesProps<T extends Text> {
  /** What is edited, such as `post`. */
  noun: string;
  unsaved: Omit<ReturnType<typeof useUnsaved<T, unknown>>, 'save'>;
  /** Returns the text to compare, with a line for each field or block. */
  plainText: (text: T) => string;
  /** Overwrites the other admin's version. */
  onKeepMine: () => void;
  /** The record is in the trash, so only this admin's version can be saved. */
  trashed?: boolean;
}

/** The choices between two texts: stored changes that are not in the form, and a version that someone else saved. */
export function UnsavedChoices<T extends Text>(props: UnsavedChoicesProps<T>) {
  const { offer, takeOffer, dismissOffer, conflict } = props.unsaved;
  const when = offer && momentText(offer.updatedAt);
  return (
    <>
      {offer && (
        <Notice
          title={
            offer.by === null ? `You have unsaved changes, last edited ${when}` : `${offer.by} has unsaved changes`
          }
        >
          <p>
            {offer.by === null
              ? 'You made these changes in another tab, on another computer, or before someone saved a newer version. They are not shown below.'
              : `The changes were last edited ${when}. They are not shown below.`}
            {offer.text['title'] && ` Title: “${offer.text['title']}”`}
          </p>
          <div className="actions">
            <Button onClick={takeOffer}>Use these changes</Button>
            <Button look="quiet" onClick={dismissOffer}>
              {offer.by === null ? 'Discard changes' : 'Dismiss'}
            </Button>
          </div>
        </Notice>
      )}
      {conflict && <Conflict {...props} theirs={conflict.saved.text} />}
    </>
  );
}

/** Compares both versions side by side, and asks which version to keep. */
function Conflict<T extends Text>(props: UnsavedChoicesProps<T> & { theirs: T }) {
  const { noun, unsaved, theirs, plainText, onKeepMine, trashed = false } = props;
  const { text, saving, takeTheirs, closeConflict } = unsaved;
  const mine = plainText(text);
  return (
    <Dialog
      title={trashed ? `This ${noun} is in the trash` : `Someone else changed this ${noun}`}
      placement="page"
      onClose={closeConflict}
      foot={
        <div className="actions">
          <Button look="primary" onClick={onKeepMine} pending={saving} pendingLabel="Saving…">
            {trashed ? `Restore ${noun} and save your version` : 'Save your version'}
          </Button>
          {!trashed && <Button onClick={takeTheirs}>Use their version</Button>}
        </div>
      }
    >
      <p>
        {trashed
          ? `Someone deleted the ${noun} after you opened it. Your version is still in the form.`
          : `Someone else saved this ${noun} after you opened it. Your version stays in the form until you choose.`}
      </p>
      {/* The focus on this button lets the keyboard scroll the texts in Safari. */}
      <p>
        <Button icon="copy" onClick={() => void copyText({ text: mine, what: 'text of your version' })}>
          Copy your version
        </Button>
      </p>
      <ComparedTexts
        left={{ label: 'Your version, not saved', text: mine }}
        right={{ label: trashed ? 'In the trash' : 'Their version, saved', text: plainText(theirs) }}
      />
    </Dialog>
  );
}

/** The time limit in milliseconds. Two long texts that differ nearly everywhere exceed the limit, and get no marks. */
const comparedMs = 500;

/** Shows two versions of a text side by side and marks the words that differ. */
function ComparedTexts({ left, right }: Record<'left' | 'right', { label: string; text: string }>) {
  const parts = diffWords(left.text, right.text, { timeout: comparedMs });
  return (
    <>
      <p role="status">
        {left.text === right.text
          ? 'The two versions are identical.'
          : parts && 'The words that differ are highlighted.'}
      </p>
      <div className="grid gap-6 md:grid-cols-2">
        {[left, right].map(({ label, text }) => (
          <section key={label} aria-label={label}>
            <h3 className="pb-1.5 rule-b-rule-strong">{label}</h3>
            <p className="py-2 whitespace-pre-line wrap-anywhere *:bg-highlight *:no-underline *:[box-shadow:0_2px_var(--color-accent)]">
              {parts
                ? parts.map(({ added, removed, value }, index) => {
                    // Two parts may be identical, so only the index is a unique key.
                    if (text === left.text ? added : removed) return null;
                    if (added) return <ins key={index}>{value}</ins>;
                    return removed ? <del key={index}>{value}</del> : value;
                  })
                : text}
            </p>
          </section>
        ))}
      </div>
    </>
  );
}

interface UnsavedLineProps {
  unsaved: Pick<ReturnType<typeof useUnsaved>, 'backedUp' | 'changed' | 'discard' | 'retry' | 'signIn'>;
}

/** Says whether there are unsaved changes, and where they are stored: on the server, on this device, or nowhere. */
export function UnsavedLine({ unsaved: { backedUp, changed, discard, retry, signIn } }: UnsavedLineProps) {
  const failure = changed && backedUp.failure;
  return (
    <div
      className={`unsaved-line flex min-h-(--control) min-w-0 flex-[1_1_12rem] flex-wrap items-center gap-x-4 [&>.button]:-ms-3 ${failure ? 'text-alert' : 'text-ink-soft'} ${changed ? '' : 'max-md:sr-only'}`}
    >
      <p role="status" className="flex min-w-0 items-center gap-2">
        <Icon name={failure ? 'warning' : changed ? 'clock' : 'tick'} />
        <span>{changed ? changesText(backedUp) : 'No changes to save'}</span>
      </p>
      {failure && (
        <Button look="quiet" onClick={isSignedOut(failure.error) ? signIn : retry}>
          {isSignedOut(failure.error) ? 'Sign in' : 'Try again'}
        </Button>
      )}
      {changed && (
        <Button
          look="quiet"
          onClick={(event) => {
            // The button disappears, and its focus would be lost.
            event.currentTarget.closest('form, dialog')?.querySelector<HTMLElement>('textarea, input')?.focus();
            discard();
          }}
        >
          Discard changes
        </Button>
      )}
    </div>
  );
}

function changesText({ at, failure }: BackupState) {
  // On a phone, the line has no space for the time.
  if (!failure)
    return <>Unsaved changes{at && <span className="max-md:sr-only">, last edited {momentText(at)}</span>}</>;
  const { error, onDevice } = failure;
  if (!onDevice) return `Couldn’t back up your changes: ${errorText(error)}`;
  if (isSignedOut(error)) return 'Your session has ended. Your unsaved changes are kept on this device.';
  if (error instanceof NetworkError) return 'No connection. Your unsaved changes are kept on this device.';
  return `Your unsaved changes are kept on this device only. ${errorText(error)}`;
}
