import { megabytesFor } from '../../domain/upload.ts';
import { mediaAccept } from '../../domain/media.ts';
import { DropZone } from '../ui/DropZone.tsx';
import { UploadList } from './UploadList.tsx';
import type { useMediaUploads } from './use-media-uploads.ts';

/** The drop zone for uploads, and the list of uploads that are running or failed. */
export function MediaDrop({ uploads }: { uploads: ReturnType<typeof useMediaUploads> }) {
  return (
    <div className="pt-3">
      <DropZone label="Upload files" choose="Choose files" accept={mediaAccept} multiple onFiles={uploads.add}>
        <strong>Drop files here</strong>
        <p>
          Pictures, PDF, DOC, DOCX or TXT, up to {megabytesFor('media')} MB each. We remove location and camera data
          from photos.
        </p>
      </DropZone>
      {uploads.files.length > 0 && <UploadList {...uploads} />}
    </div>
  );
}
