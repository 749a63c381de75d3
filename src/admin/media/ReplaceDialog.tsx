import { type ReactNode, useState } from 'react';
import { sizeText } from '../../domain/text.ts';
import { type MediaRecord, endingOf, isPicture } from '../../domain/media.ts';
import { megabytesFor, uploadLimits } from '../../domain/upload.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DropZone, FilePicture } from '../ui/DropZone.tsx';
import { KindThumbnail, Thumbnail } from './Thumbnail.tsx';
import { Uses } from './Uses.tsx';
import { useReplace } from './uploads.ts';
import { kindName, sizesText } from './view.ts';

interface ReplaceDialogProps {
  file: MediaRecord;
  onClose: () => void;
}

/** Asks for a replacement for a file, shows both files, and lists where the file is used. */
export function ReplaceDialog({ file, onClose }: ReplaceDialogProps) {
  const replace = useReplace();
  const [chosen, setChosen] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const ending = endingOf(file.url);

  const choose = ([picked]: File[]) => {
    if (!picked) return;
    const refused = problemOf(picked, file);
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
        accept={`${file.mimeType},${ending}`}
        onFiles={choose}
      >
        <strong>Drop a {ending} file here</strong>
        <p>Up to {megabytesFor('media')} MB. The file’s URL stays the same.</p>
      </DropZone>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <Uses
        id={file.id}
        used={(list) => (
          <div>
            <p>The new file will immediately replace the old one in:</p>
            {list}
          </div>
        )}
      />
      {file.alt !== '' && (
        <p>
          The picture keeps its description: “{file.alt.replace(/\.$/, '')}.” Update the description if the new picture
          shows something else.
        </p>
      )}
      <div className="actions">
        {chosen && (
          <Button
            look="primary"
            icon="swap"
            onClick={() => {
              replace(file, chosen);
              onClose();
            }}
          >
            Replace file
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

/**
 * Returns why a file cannot replace another file; undefined if no problem is known. The browser reliably recognizes
 * only image types, so the server checks the content of all other files.
 */
function problemOf({ name, type, size }: File, file: MediaRecord): string | undefined {
  if (size > uploadLimits.media) return `${name} is larger than ${megabytesFor('media')}MB`;
  if (type === file.mimeType || !isPicture({ mimeType: type })) return undefined;
  const ending = endingOf(file.url);
  return `${name} is a ${kindName(type)} file. The URL stays the same and ends in ${ending}, so choose a ${ending} file.`;
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
  if (!chosen) return <span className="thumbnail [background:none] [border-style:dashed]" />;
  if (!isPicture({ mimeType: chosen.type })) return <KindThumbnail kind={kind} />;
  return (
    <span className="thumbnail">
      <FilePicture file={chosen} />
    </span>
  );
}
