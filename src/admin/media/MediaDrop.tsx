import { mediaAccept } from '../../domain/media.ts';
import { DropZone } from '../ui/DropZone.tsx';
import { UploadList } from './UploadList.tsx';
import type { useUploads } from './use-uploads.ts';

/** Where files come into the library, and those on their way. */
export function MediaDrop({ uploads }: { uploads: ReturnType<typeof useUploads> }) {
  return (
    <div className="media-drop">
      <DropZone label="Upload files" choose="Choose files" accept={mediaAccept} multiple onFiles={uploads.add}>
        <strong>Drop files here</strong>
        <p>Pictures, PDF, DOC, DOCX or TXT, at most 10 MB each. Camera data and places are taken out of pictures.</p>
      </DropZone>
      {uploads.files.length > 0 && <UploadList {...uploads} />}
    </div>
  );
}
