import { type ReactNode, useState } from 'react';
import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, endingOf, isPicture } from '../../domain/media.ts';
import { megabytesFor } from '../../domain/upload.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { FilePicture } from '../ui/FilePicture.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UseList } from './UseList.tsx';
import { useMediaFile } from './queries.ts';
import { acceptFor, replacementProblem } from './replacement.ts';
import { kindName, sizesText } from './view.ts';

interface ReplaceDialogProps {
  file: MediaRecord;
  onClose: () => void;
  /** Called with the replacement that the admin confirmed. */
  onReplace: (chosen: File) => void;
}

/** Asks for a replacement for a file, shows both files, and lists where the file is used. */
export function ReplaceDialog({ file, onClose, onReplace }: ReplaceDialogProps) {
  const detail = useMediaFile(file.id);
  const usedIn = detail.data?.usedIn ?? [];
  const [chosen, setChosen] = useState<File>();
  const [problem, setProblem] = useState<string>();

  const choose = ([picked]: File[]) => {
    if (!picked) return;
    const refused = replacementProblem(picked, file);
    setProblem(refused);
    if (!refused) setChosen(picked);
  };
  return (
    <Dialog title="Replace this file?" onClose={onClose}>
      <p className="semibold wrap-anywhere">{file.originalName}</p>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3">
        <SwapFigure caption="Current" facts={sizesText(file)}>
          <Thumbnail file={file} alt={file.alt} />
        </SwapFigure>
        <SwapFigure caption="New" facts={chosen ? `${chosen.name}, ${sizeText(chosen.size)}` : 'No file chosen'}>
          <ChosenThumbnail chosen={chosen} kind={kindName(file.mimeType)} />
        </SwapFigure>
      </div>
      <DropZone
        label="New file"
        choose={chosen ? 'Choose another file' : 'Choose file'}
        accept={acceptFor(file)}
        onFiles={choose}
      >
        <strong>Drop a {endingOf(file.url)} file here</strong>
        <p>Up to {megabytesFor('media')} MB. The file’s URL stays the same.</p>
      </DropZone>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      {detail.isPending ? (
        <p role="status">Checking where the file is used…</p>
      ) : usedIn.length > 0 ? (
        <div>
          <p>The new file will immediately replace the old one in:</p>
          <UseList uses={usedIn} />
        </div>
      ) : (
        <p>
          {detail.isError
            ? 'We couldn’t check whether this file is in use.'
            : 'No post, unsaved draft or Home page text uses this file.'}
        </p>
      )}
      {file.alt !== '' && (
        <p>
          The picture keeps its description: “{file.alt.replace(/\.$/, '')}.” Update the description if the new picture
          shows something else.
        </p>
      )}
      <div className="actions">
        {chosen && (
          <Button look="primary" icon="swap" onClick={() => onReplace(chosen)}>
            Replace file
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function SwapFigure({ caption, facts, children }: { caption: string; facts: string; children: ReactNode }) {
  return (
    <figure className="m-0">
      {children}
      <figcaption className="pt-1 wrap-anywhere">
        <strong className="block">{caption}</strong>
        <span className="figures text-ink-soft">{facts}</span>
      </figcaption>
    </figure>
  );
}

/** The preview of the chosen file: the image itself, or an icon and the file type. */
function ChosenThumbnail({ chosen, kind }: { chosen: File | undefined; kind: string }) {
  if (chosen && isPicture({ mimeType: chosen.type })) {
    return (
      <span className="thumbnail">
        <FilePicture file={chosen} />
      </span>
    );
  }
  return (
    <span
      className={`thumbnail thumbnail-kind ${chosen ? '' : '[background:none] [border-style:dashed]'}`}
      aria-hidden="true"
    >
      {chosen && <Icon name="file" />}
      {chosen && kind}
    </span>
  );
}
