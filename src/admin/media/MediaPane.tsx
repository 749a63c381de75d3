import type { ReactNode } from 'react';
import { type MediaRecord, type MediaUse, isPicture, lastingUrl } from '../../domain/media.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime, Fact } from '../ui/Fact.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RecordPane } from '../ui/RecordPane.tsx';
import { AltForm } from './AltForm.tsx';
import { Thumbnail, copyUrl, kindName, sizesText } from './Thumbnail.tsx';
import { useMediaFile } from './queries.ts';

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
      onClose={onClose}
    >
      {({ data: file }) => (
        <>
          <Thumbnail file={file} width={800} alt={file.alt} />
          <div className="actions">
            <Button icon="copy" onClick={() => copyUrl(file)}>
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
            <Fact label="Type">
              {kindName(file.mimeType)}, {sizesText(file)}
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
          {isPicture(file) && <AltForm key={id} file={file} save="Save description" />}
          <h3>Used in</h3>
          <Uses id={id} />
        </>
      )}
    </RecordPane>
  );
}

const useNames: Record<MediaUse['kind'], string> = {
  post: 'Blog post',
  section: 'Home page text',
  draft: 'Unsaved changes',
};

/**
 * Lists the home page text, posts and unsaved changes that use a file, or says that nothing uses the file.
 * @param props.used adds to the list what it means for the admin.
 */
export function Uses({ id, used = (list) => list }: { id: string; used?: (list: ReactNode) => ReactNode }) {
  const { data, isPending } = useMediaFile(id);
  if (isPending) return <p role="status">Checking where the file is used…</p>;
  if (!data) return <p>We couldn’t check whether this file is in use.</p>;
  if (data.usedIn.length === 0) return <p>No post, unsaved draft or Home page text uses this file.</p>;
  return used(
    <ul>
      {data.usedIn.map(({ kind, id: key, title }) => (
        <li key={kind + key} className="wrap-anywhere">
          <span className="me-2 text-ink-soft">{useNames[kind]}</span> {title}
        </li>
      ))}
    </ul>,
  );
}
