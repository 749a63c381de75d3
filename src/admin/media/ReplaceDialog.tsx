import { type ReactNode, useState } from 'react';
import { sizeText } from '../../domain/text/text.ts';
import { type MediaRecord, endingOf, isPicture } from '../../domain/site/media.ts';
import { megabytesFor, svgMegabytes } from '../../domain/submissions/upload.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DropZone, FilePicture } from '../ui/DropZone.tsx';
import { Uses } from './MediaPane.tsx';
import { KindThumbnail, Thumbnail, frame, kindName, pictureFrame, sizesText } from './Thumbnail.tsx';
import { useReplace } from './uploads.tsx';

/** Asks for a replacement for a file, shows both files, and lists where the file is used. */
export function ReplaceDialog({ file, onClose }: { file: MediaRecord; onClose: () => void }) {
  const replace = useReplace();
  const [chosen, setChosen] = useState<File>();
  const ending = endingOf(file.url);
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
        onFiles={([picked]) => setChosen(picked)}
      >
        <strong>Drop a {ending} file here</strong>
        <p>Up to {ending === '.svg' ? svgMegabytes : megabytesFor('media')} MB. The file’s URL stays the same.</p>
      </DropZone>
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
  if (!chosen) return <span className={`${frame} [border-style:dashed]`} />;
  if (!isPicture({ mimeType: chosen.type })) return <KindThumbnail kind={kind} />;
  return (
    <span className={pictureFrame}>
      <FilePicture file={chosen} />
    </span>
  );
}
