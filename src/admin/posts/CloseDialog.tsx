import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface CloseDialogProps {
  onKeep: () => void;
  onDiscard: () => void;
  onStay: () => void;
}

/** Asks what becomes of writing that is not saved when its dialog is closed. Esc goes on writing. */
export function CloseDialog({ onKeep, onDiscard, onStay }: CloseDialogProps) {
  return (
    <Dialog title="Close without saving?" onClose={onStay}>
      <p>What you wrote is not saved in the post. Kept as a draft, it is offered to you when you come back here.</p>
      <div className="dialog-actions">
        <Button look="primary" onClick={onStay}>
          Go on writing
        </Button>
        <Button onClick={onKeep}>Close and keep the draft</Button>
        <Button look="destructive" icon="bin" onClick={onDiscard}>
          Discard it
        </Button>
      </div>
    </Dialog>
  );
}
