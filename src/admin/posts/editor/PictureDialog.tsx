import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { PickMedia, PickedMedia } from '../../ui/pick-media.ts';

interface PictureDialogProps {
  /** The picture takes the place of another one. */
  replacing: boolean;
  /** The media library, where there is one. */
  pick: PickMedia | null;
  onPick: (picture: PickedMedia) => void;
  /** Pictures of this device, to be uploaded. */
  onFiles: (files: readonly File[]) => void;
  onClose: () => void;
}

/** Asks where a picture of the text comes from. */
export function PictureDialog({ replacing, pick, onPick, onFiles, onClose }: PictureDialogProps) {
  const file = useRef<HTMLInputElement>(null);
  const choose = async () => {
    const chosen = await pick?.();
    if (chosen) onPick(chosen);
  };
  return (
    <Dialog title={replacing ? 'Replace the picture' : 'Add a picture'} onClose={onClose}>
      <div className="dialog-actions">
        {pick && (
          <Button icon="picture" onClick={() => void choose()}>
            From the media library
          </Button>
        )}
        <Button icon="plus" onClick={() => file.current?.click()}>
          From this device
        </Button>
        <input
          ref={file}
          hidden
          type="file"
          accept="image/*"
          multiple={!replacing}
          onChange={(event) => onFiles([...(event.target.files ?? [])])}
        />
      </div>
    </Dialog>
  );
}
