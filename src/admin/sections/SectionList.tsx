import type { MouseEvent } from 'react';
import type { SectionEntry } from '../../domain/section.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { opensElsewhere } from '../lib/location.ts';
import { SectionPreview } from './SectionPreview.tsx';
import { openSection, searchOfSection } from './section-url.ts';

/** Lists all sections in page order. Each row shows the section's position on the site and its text. */
export function SectionList({ entries }: { entries: readonly SectionEntry[] }) {
  return (
    <ol className="section-list" aria-label="Sections">
      {entries.map((entry) => (
        <SectionRow key={entry.sectionKey} entry={entry} />
      ))}
    </ol>
  );
}

function SectionRow({ entry }: { entry: SectionEntry }) {
  const { sectionKey, location, updatedAt, first } = entry;
  const edited = entry.title !== first.title || entry.content !== first.content || entry.metadata !== first.metadata;
  const onClick = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    openSection(sectionKey);
  };
  return (
    <li className="section-row">
      <div className="section-name">
        <a href={searchOfSection(sectionKey)} onClick={onClick}>
          {location.label}
        </a>
        <p>{location.where}</p>
      </div>
      <SectionPreview location={location} words={entry} />
      <p className="section-state">
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
      <ol className="section-list" aria-hidden="true">
        {Array.from({ length: 11 }, (_, index) => (
          <li key={index} className="section-row">
            <span className="skeleton skeleton-text" />
            <span className="skeleton skeleton-text" />
            <span className="skeleton skeleton-text" />
          </li>
        ))}
      </ol>
    </>
  );
}
