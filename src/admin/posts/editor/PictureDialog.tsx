import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { PickMedia, PickedMedia } from '../../lib/pick-media.ts';

interface PictureDialogProps {
  /** Opens the media library; null if the library is unavailable. */
  pick: PickMedia | null;
  onPick: (picture: PickedMedia) => void;
  /** Takes image files from this device, to upload. */
  onFiles: (files: readonly File[]) => void;
  onClose: () => void;
}

/** Asks whether to choose an image from the media library or to upload a file. */
export function PictureDialog({ pick, onPick, onFiles, onClose }: PictureDialogProps) {
  const file = useRef<HTMLInputElement>(null);
  const choose = async () => {
    const chosen = await pick?.();
    if (chosen) onPick(chosen);
  };
  return (
    <Dialog title="Add a picture" onClose={onClose}>
      <div className="actions">
        {pick && (
          <Button icon="picture" onClick={() => void choose()}>
            Choose from Media Library
          </Button>
        )}
        <Button icon="plus" onClick={() => file.current?.click()}>
          Upload from this device
        </Button>
        <input
          ref={file}
          hidden
          type="file"
          accept="image/*"
          multiple
          onChange={(event) => onFiles([...(event.target.files ?? [])])}
        />
      </div>
    </Dialog>
  );
}
