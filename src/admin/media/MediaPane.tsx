import {
  type FormerFile,
  type MediaRecord,
  type MediaUse,
  formerFilesKeptDays,
  isPicture,
  lastingUrl,
} from '../../domain/media.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SidePanel } from '../ui/SidePanel.tsx';
import { useMedia } from '../ui/media.ts';
import { AltForm } from './AltForm.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { UseList } from './UseList.tsx';
import { copyUrl } from './copy-url.ts';
import { useMediaFile } from './queries.ts';
import { useFormerFile } from './use-former-file.ts';
import { kindName, sizesText } from './view.ts';

interface MediaPaneProps {
  id: string;
  onClose: () => void;
  onReplace: (file: MediaRecord) => void;
  onDelete: (file: MediaRecord) => void;
}

/** The open file: beside the grid where there is room, else a dialog over it. */
export function MediaPane({ id, onClose, onReplace, onDelete }: MediaPaneProps) {
  const beside = useMedia('(width >= 64rem)');
  const { data, error, isFetching, refetch } = useMediaFile(id);
  const Container = beside ? SidePanel : Dialog;
  return (
    <Container title={data?.data.originalName ?? 'File'} onClose={onClose} placement="drawer">
      {data ? (
        <MediaDetail
          key={id}
          file={data.data}
          usedIn={data.usedIn}
          former={data.former}
          onReplace={onReplace}
          onDelete={onDelete}
        />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Notice title="There is no such file">
          <p>It may have been deleted meanwhile.</p>
        </Notice>
      ) : error ? (
        <FailureNotice
          title="Could not open the file"
          error={error}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : (
        <div role="status">
          <span className="unseen">Opening the file…</span>
          <span className="skeleton skeleton-block" />
        </div>
      )}
    </Container>
  );
}

interface MediaDetailProps {
  file: MediaRecord;
  usedIn: readonly MediaUse[];
  former: FormerFile | null;
  onReplace: (file: MediaRecord) => void;
  onDelete: (file: MediaRecord) => void;
}

function MediaDetail({ file, usedIn, former, onReplace, onDelete }: MediaDetailProps) {
  const formerFile = useFormerFile();
  return (
    <>
      <Thumbnail file={file} width={800} alt={file.alt} />
      <div className="media-buttons">
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
      <dl className="media-fields">
        <div>
          <dt>Type</dt>
          <dd>{kindName(file.mimeType)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd className="figures">{sizesText(file)}</dd>
        </div>
        <div>
          <dt>Uploaded</dt>
          <dd>
            <DateTime iso={file.uploadedAt} />
          </dd>
        </div>
        {file.replacedAt !== null && (
          <div>
            <dt>Replaced</dt>
            <dd>
              <DateTime iso={file.replacedAt} />
            </dd>
          </div>
        )}
        {former && (
          <div>
            <dt>Former file</dt>
            <dd className="media-former">
              <span className="figures">
                {sizesText(former)}, kept for {formerFilesKeptDays} days
              </span>
              <Button icon="undo" onClick={() => void formerFile.putBack(file)} pending={formerFile.isPending}>
                Put it back
              </Button>
            </dd>
          </div>
        )}
        <div>
          <dt>URL</dt>
          <dd>{file.url}</dd>
        </div>
      </dl>
      {isPicture(file) && (
        <AltForm
          file={file}
          save="Save description"
          onSaved={() => showToast({ title: 'Description saved', description: file.originalName })}
        />
      )}
      <h3>Used in</h3>
      {usedIn.length > 0 ? (
        <UseList uses={usedIn} />
      ) : (
        <p>No post, no draft and no text of the home page uses this file.</p>
      )}
    </>
  );
}
