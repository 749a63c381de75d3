import type { MouseEvent } from 'react';
import type { SectionEntry } from '../../domain/section.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { opensElsewhere } from '../lib/location.ts';
import { useUnsavedList } from '../unsaved/copies.ts';
import { SectionPreview } from './SectionPreview.tsx';
import { openSection, searchOfSection } from './section-url.ts';

/** Lists all sections in page order. Each row says where the site shows the section, and previews the text. */
export function SectionList({ entries }: { entries: readonly SectionEntry[] }) {
  const unsaved = useUnsavedList('section');
  return (
    <ol className="section-list rule-t-rule-strong pb-6" aria-label="Sections">
      {entries.map((entry) => (
        <SectionRow
          key={entry.sectionKey}
          entry={entry}
          unsavedBy={unsaved
            .filter(({ id }) => id === entry.sectionKey)
            .map(({ own, by }) => (own ? 'yours' : by))
            .join(', ')}
        />
      ))}
    </ol>
  );
}

function SectionRow({ entry, unsavedBy }: { entry: SectionEntry; unsavedBy: string }) {
  const { sectionKey, location, updatedAt, first } = entry;
  const edited = entry.title !== first.title || entry.content !== first.content || entry.metadata !== first.metadata;
  const onClick = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    openSection(sectionKey);
  };
  return (
    <li className="section-row relative grid gap-x-8 gap-y-2 py-4 rule-b-rule hover:bg-raised">
      <div>
        <a className="row-link after:absolute after:inset-0" href={searchOfSection(sectionKey)} onClick={onClick}>
          {location.label}
        </a>
        <p className="text-ink-soft">{location.where}</p>
        {unsavedBy && <p className="text-xs text-ink-soft">Unsaved changes · {unsavedBy}</p>}
      </div>
      <SectionPreview location={location} words={entry} />
      <p className="text-xs text-ink-soft @min-[52rem]/sections:text-end">
        {updatedAt === null ? (
          'Default text'
        ) : (
          <>
            {edited ? 'Edited' : 'Default text, loaded'} <DateTime iso={updatedAt} />
          </>
        )}
      </p>
    </li>
  );
}

/** Placeholders, shown while the list loads. */
export function SectionListSkeleton() {
  return (
    <>
      <p className="unseen" role="status">
        Loading the sections…
      </p>
      <ol className="section-list rule-t-rule-strong pb-6" aria-hidden="true">
        {Array.from({ length: 11 }, (_, index) => (
          <li key={index} className="section-row relative grid gap-x-8 gap-y-2 py-4 rule-b-rule hover:bg-raised">
            <span className="skeleton skeleton-text" />
            <span className="skeleton skeleton-text" />
            <span className="skeleton skeleton-text" />
          </li>
        ))}
      </ol>
    </>
  );
}
