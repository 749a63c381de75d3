import type { MouseEvent } from 'react';
import type { SectionEntry } from '../../domain/section.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { SectionPreview } from './SectionPreview.tsx';
import { sectionPlaces } from './places.ts';
import { openSection, searchOfSection } from './section-place.ts';

/** All sections in page order: where each stands, and its text as the site shows it. */
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
  const { sectionKey, updatedAt, first } = entry;
  const { label, where } = sectionPlaces[sectionKey];
  const edited = entry.title !== first.title || entry.content !== first.content || entry.metadata !== first.metadata;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openSection(sectionKey);
  };
  return (
    <li className="section-row">
      <div className="section-name">
        <a href={searchOfSection(sectionKey)} onClick={onClick}>
          {label}
        </a>
        <p>{where}</p>
      </div>
      <SectionPreview sectionKey={sectionKey} words={entry} />
      <p className="section-state">
        {updatedAt === null ? (
          'First text, not loaded yet'
        ) : (
          <>
            {edited ? 'Edited' : 'First text, loaded'} <DateTime iso={updatedAt} />
          </>
        )}
      </p>
    </li>
  );
}

/** The list while it is on its way. */
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
