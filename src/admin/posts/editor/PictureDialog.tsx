import { type SubmitEvent, useId, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { PickMedia, PickedMedia } from '../../ui/pick-media.ts';

interface PictureDialogProps {
  /** The picture that stands there already. */
  picture: PickedMedia | null;
  /** The media library, where there is one. */
  pick: PickMedia | null;
  onPick: (picture: PickedMedia) => void;
  /** Pictures of this device, to be uploaded. */
  onFiles: (files: readonly File[]) => void;
  /** Another text for the picture that stands there. */
  onAlt: (alt: string) => void;
  onClose: () => void;
}

/** Puts a picture into the text, or describes the one that stands there. */
export function PictureDialog({ picture, pick, onPick, onFiles, onAlt, onClose }: PictureDialogProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [alt, setAlt] = useState(picture?.alt ?? '');

  const choose = async () => {
    const chosen = await pick?.();
    if (chosen) onPick(chosen);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAlt(alt.trim());
  };

  return (
    <Dialog title={picture ? 'Picture' : 'Add a picture'} onClose={onClose}>
      {picture && (
        <form className="small-form" onSubmit={submit}>
          <div className="field">
            <label htmlFor={`${id}-alt`}>Description for people who cannot see it</label>
            <input
              id={`${id}-alt`}
              // eslint-disable-next-line jsx-a11y-x/no-autofocus -- the dialog is for this field
              autoFocus
              value={alt}
              aria-describedby={`${id}-hint`}
              onChange={(event) => setAlt(event.target.value)}
            />
            <p id={`${id}-hint`} className="field-hint">
              What the picture tells, in a sentence.
            </p>
          </div>
          <div className="dialog-actions">
            <Button type="submit" look="primary">
              Save description
            </Button>
          </div>
        </form>
      )}
      <div className="dialog-actions">
        {pick && (
          <Button icon="picture" onClick={() => void choose()}>
            {picture ? 'Another one from the media library' : 'From the media library'}
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
          multiple={!picture}
          onChange={(event) => onFiles([...(event.target.files ?? [])])}
        />
      </div>
    </Dialog>
  );
}
