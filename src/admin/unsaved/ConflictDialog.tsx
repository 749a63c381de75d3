import { fetched } from '../lib/fetched.tsx';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { Saved, Text } from './unsaved-state.ts';

/** An editor preloads this code, so that a conflict can be shown as soon as it is found. */
export const ComparedTexts = fetched(() => import('./ComparedTexts.tsx'));

interface ConflictDialogProps<T extends Text> {
  /** What was changed, such as `post`. */
  noun: string;
  unsaved: {
    readonly text: T;
    readonly saving: boolean;
    readonly conflict: { readonly saved: Saved<T> } | null;
    readonly takeTheirs: () => void;
    readonly closeConflict: () => void;
  };
  /** Returns the text as lines to compare. */
  linesOf: (text: T) => readonly string[];
  /** Overwrites the other admin's version. */
  onKeepMine: () => void;
  /** The record is in the trash, so only this admin's version can be saved. */
  trashed?: boolean;
}

/**
 * Shown when someone else saved a record after this editor opened it. Compares both versions side by side and asks
 * which version to keep.
 */
export function ConflictDialog<T extends Text>({
  noun,
  unsaved: { text, saving, conflict, takeTheirs, closeConflict },
  linesOf,
  onKeepMine,
  trashed = false,
}: ConflictDialogProps<T>) {
  if (!conflict) return null;
  const mine = linesOf(text);
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
          <Button icon="copy" onClick={() => void copyText(mine.join('\n'), 'text of your version')}>
            Copy your version
          </Button>
        </div>
      }
    >
      <p>
        {trashed
          ? `Someone deleted the ${noun} after you opened it. Your version is still in the form.`
          : `Someone else saved this ${noun} after you opened it. Your version stays in the form until you choose.`}
      </p>
      <ComparedTexts
        fallback={<span className="skeleton skeleton-editor" />}
        left={{ label: 'Your version, not saved', lines: mine }}
        right={{ label: trashed ? 'In the trash' : 'Their version, saved', lines: linesOf(conflict.saved.text) }}
      />
    </Dialog>
  );
}
