import { type MediaRecord, type MediaUse, isPicture, lastingUrl } from '../../domain/media.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Fact } from '../ui/Fact.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RecordPane } from '../ui/RecordPane.tsx';
import { AltForm } from './AltForm.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UseList } from './UseList.tsx';
import { copyUrl } from './copy-url.ts';
import { useMediaFile } from './queries.ts';
import { kindName, sizesText } from './view.ts';

interface MediaPaneProps {
  id: string;
  onClose: () => void;
  onReplace: (file: MediaRecord) => void;
  onDelete: (file: MediaRecord) => void;
}

/** The panel with the open file. */
export function MediaPane({ id, onClose, onReplace, onDelete }: MediaPaneProps) {
  const record = useMediaFile(id);
  return (
    <RecordPane
      one="file"
      title={record.data?.data.originalName ?? 'File'}
      record={record}
      missing="The file may have been deleted."
      skeleton={<span className="skeleton skeleton-block" />}
      onClose={onClose}
    >
      {({ data: file, ...detail }) => (
        <MediaDetail key={id} file={file} {...detail} onReplace={onReplace} onDelete={onDelete} />
      )}
    </RecordPane>
  );
}

interface MediaDetailProps {
  file: MediaRecord;
  usedIn: readonly MediaUse[];
  onReplace: (file: MediaRecord) => void;
  onDelete: (file: MediaRecord) => void;
}

function MediaDetail({ file, usedIn, onReplace, onDelete }: MediaDetailProps) {
  return (
    <>
      <Thumbnail file={file} width={800} alt={file.alt} />
      <div className="actions">
        <Button icon="copy" onClick={() => void copyUrl(file)}>
          Copy URL
        </Button>
        <a className="button button-secondary" href={lastingUrl(file)} target="_blank" rel="noopener">
          <Icon name="outside" />
          <span>Open</span>
        </a>
        <Button icon="swap" onClick={() => onReplace(file)}>
          Replace
        </Button>
        <Button look="destructive" icon="bin" onClick={() => onDelete(file)}>
          Delete
        </Button>
      </div>
      <dl>
        <Fact label="Type">{kindName(file.mimeType)}</Fact>
        <Fact label="Size">
          <span className="figures">{sizesText(file)}</span>
        </Fact>
        <Fact label="Uploaded">
          <DateTime iso={file.uploadedAt} />
        </Fact>
        {file.replacedAt !== null && (
          <Fact label="Replaced">
            <DateTime iso={file.replacedAt} />
          </Fact>
        )}
        <Fact label="URL">{file.url}</Fact>
      </dl>
      {isPicture(file) && (
        <AltForm
          file={file}
          save="Save description"
          onSaved={() => showToast({ title: 'Description saved', description: file.originalName })}
        />
      )}
      <h3>Used in</h3>
      {usedIn.length > 0 ? <UseList uses={usedIn} /> : <p>No post, unsaved draft or Home page text uses this file.</p>}
    </>
  );
}
