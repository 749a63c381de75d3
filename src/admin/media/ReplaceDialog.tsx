import { type ReactNode, useState } from 'react';
import { sizeText } from '../../domain/file-size.ts';
import { type MediaRecord, isPicture } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { FilePicture } from '../ui/FilePicture.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UseList } from './UseList.tsx';
import { useMediaFile } from './queries.ts';
import { acceptFor, endingOf, replacementProblem } from './replacement.ts';
import { kindName, sizesText } from './view.ts';

interface ReplaceDialogProps {
  file: MediaRecord;
  onClose: () => void;
  /** The admin wants this file in its place. */
  onReplace: (chosen: File) => void;
}

/** Chooses what takes the place of a file, beside what is there now, and says where it will be seen. */
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
      <p className="media-subject">{file.originalName}</p>
      <div className="media-swap">
        <SwapFigure caption="Now" facts={sizesText(file)}>
          <Thumbnail file={file} alt={file.alt} />
        </SwapFigure>
        <SwapFigure caption="New" facts={chosen ? `${chosen.name}, ${sizeText(chosen.size)}` : 'Not chosen yet'}>
          <ChosenThumbnail chosen={chosen} kind={kindName(file.mimeType)} />
        </SwapFigure>
      </div>
      <DropZone
        label="New file"
        choose={chosen ? 'Choose another' : 'Choose file'}
        accept={acceptFor(file)}
        onFiles={choose}
      >
        <strong>Drop a {endingOf(file.url)} file here</strong>
        <p>At most 10 MB. It gets the address of the file that is there now.</p>
      </DropZone>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      {detail.isPending ? (
        <p role="status">Looking where it is used…</p>
      ) : usedIn.length > 0 ? (
        <div>
          <p>It is used here, and the new file is shown here at once:</p>
          <UseList uses={usedIn} />
        </div>
      ) : (
        <p>
          {detail.isError
            ? 'Whether it is in use could not be found out.'
            : 'No post, no draft and no text of the home page uses it.'}
        </p>
      )}
      {file.alt !== '' && (
        <p>Its description stays: “{file.alt}”. Change it if the new picture shows something else.</p>
      )}
      <div className="media-buttons">
        {chosen && (
          <Button look="primary" icon="swap" onClick={() => onReplace(chosen)}>
            Replace file
          </Button>
        )}
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
}

function SwapFigure({ caption, facts, children }: { caption: string; facts: string; children: ReactNode }) {
  return (
    <figure>
      {children}
      <figcaption>
        <strong>{caption}</strong>
        <span className="figures">{facts}</span>
      </figcaption>
    </figure>
  );
}

/** What was chosen, as far as the browser can show it. */
function ChosenThumbnail({ chosen, kind }: { chosen: File | undefined; kind: string }) {
  if (chosen && isPicture({ mimeType: chosen.type })) {
    return (
      <span className="thumbnail">
        <FilePicture file={chosen} />
      </span>
    );
  }
  return (
    <span className="thumbnail thumbnail-kind" aria-hidden="true" data-empty={!chosen || undefined}>
      {chosen && <Icon name="file" />}
      {chosen && kind}
    </span>
  );
}
