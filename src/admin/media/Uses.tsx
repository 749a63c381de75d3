import type { ReactNode } from 'react';
import type { MediaUse } from '../../domain/media.ts';
import { useMediaFile } from './queries.ts';

const kinds: Record<MediaUse['kind'], string> = {
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
          <span className="me-2 text-ink-soft">{kinds[kind]}</span> {title}
        </li>
      ))}
    </ul>,
  );
}
