import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

interface CloseDialogProps {
  onKeep: () => void;
  onDiscard: () => void;
  onStay: () => void;
}

/** Asks whether to keep or discard unsaved text before the post dialog closes. Esc returns to the text. */
export function CloseDialog({ onKeep, onDiscard, onStay }: CloseDialogProps) {
  return (
    <Dialog title="Close without saving?" onClose={onStay}>
      <p>
        Your changes aren’t saved to the post yet. Keep your changes, and we’ll offer to restore them when you open the
        post again.
      </p>
      <div className="actions">
        <Button look="primary" onClick={onStay}>
          Keep writing
        </Button>
        <Button onClick={onKeep}>Keep changes and close</Button>
        <Button look="destructive" icon="bin" onClick={onDiscard}>
          Discard changes
        </Button>
      </div>
    </Dialog>
  );
}
