import { type ReactNode, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type MediaInput,
  type MediaRecord,
  type MediaUse,
  altField,
  decorativeLabel,
  isPicture,
  lastingUrl,
  mediaAnswer,
  mediaDetail,
  mediaInput,
} from '../../domain/site/media.ts';
import { useAct, useGet } from '../lib/act.ts';
import { Button } from '../ui/Button.tsx';
import { Fact } from '../ui/Fact.tsx';
import { Check, TextField, useForm } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RecordPane } from '../lists/RecordPane.tsx';
import { Thumbnail, copyUrl, kindName, sizesText } from './Thumbnail.tsx';
import { mediaKey } from './list.ts';

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
      missing="The file may have been deleted. Search the library for its name."
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
            <Fact label="Kind">
              {kindName(file.mimeType)}, {sizesText(file)}
            </Fact>
            <Fact label="Uploaded" iso={file.uploadedAt} />
            <Fact label="Replaced" iso={file.replacedAt} />
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

/**
 * Returns one file and the places where the site uses it. Refetched each time the file is opened, because posts and
 * pages change.
 */
function useMediaFile(id: string) {
  return useGet([...mediaKey, 'one'], apiPaths.mediaFile(id), mediaDetail, { staleTime: 0 });
}

const useNames: Record<MediaUse['kind'], string> = {
  post: 'Blog post',
  section: 'Section',
  draft: 'Unsaved changes',
};

/**
 * Lists the sections, posts and unsaved changes that use a file, or says that nothing uses the file.
 * @param props.used adds to the list what it means for the admin.
 */
export function Uses({ id, used = (list) => list }: { id: string; used?: (list: ReactNode) => ReactNode }) {
  const { data, isPending } = useMediaFile(id);
  if (isPending) return <p role="status">Checking where the file is used…</p>;
  if (!data) return <p>Couldn’t check whether this file is in use.</p>;
  if (data.usedIn.length === 0) return <p>No posts, sections or unsaved changes use this file.</p>;
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

interface AltFormProps {
  file: MediaRecord;
  /** The label of the submit button. */
  save: string;
  /** Focuses the field when the dialog opens; for a dialog that contains only this form. */
  focused?: boolean;
  onSaved?: (file: MediaRecord) => void;
}

/** The form for an image's text alternative, with a checkbox for decorative images. */
export function AltForm({ file, save, focused = false, onSaved }: AltFormProps) {
  const [input, setInput] = useState({ alt: file.alt, decorative: file.decorative });
  const describe = useAct(
    async (send, body: MediaInput) =>
      (await send(apiPaths.mediaFile(file.id), { method: 'PUT', body, schema: mediaAnswer })).data,
    {
      done: ({ originalName }) => ({ title: 'Description saved', description: originalName }),
      failed: 'Couldn’t save the description',
      refresh: mediaKey,
    },
  );
  const { form, errors } = useForm({
    schema: mediaInput,
    act: describe,
    values: () => input,
    send: (valid) => describe.mutate(valid, { onSuccess: onSaved }),
  });
  return (
    <form {...form} className="grid justify-items-start gap-2">
      <TextField
        label={altField.label}
        hint="Describe the picture in one sentence, for people who can’t see it."
        error={input.decorative ? undefined : errors['alt']}
        focused={focused}
        rows={altField.rows}
        maxLength={altField.max}
        value={input.alt}
        onText={(alt) => setInput({ ...input, alt })}
        disabled={input.decorative}
      />
      <Check
        label={decorativeLabel}
        checked={input.decorative}
        onChange={(event) => setInput({ ...input, decorative: event.target.checked })}
      />
      <Button type="submit" look="primary" pending={describe.isPending} pendingLabel="Saving…">
        {save}
      </Button>
    </form>
  );
}
