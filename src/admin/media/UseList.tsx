import type { MediaUse } from '../../domain/media.ts';

const kinds: Record<MediaUse['kind'], string> = {
  post: 'Blog post',
  section: 'Home page text',
  draft: 'Unsaved changes',
};

/** Lists the home page text, posts and unsaved changes that use a file. */
export function UseList({ uses }: { uses: readonly MediaUse[] }) {
  return (
    <ul>
      {uses.map(({ kind, id, title }) => (
        <li key={kind + id} className="wrap-anywhere">
          <span className="me-2 text-ink-soft">{kinds[kind]}</span> {title}
        </li>
      ))}
    </ul>
  );
}
