import type { SectionKey } from '../../domain/section.ts';
import { sectionText } from '../../domain/section-text.ts';
import { sectionPlaces } from './places.ts';
import type { SectionWords } from './section-draft.ts';

/** A section as the site shows it: its words, without tags. */
export function SectionPreview({ sectionKey, words }: { sectionKey: SectionKey; words: SectionWords }) {
  const place = sectionPlaces[sectionKey];
  const title = sectionText(words.title);
  const content = sectionText(words.content);
  if (place.look === 'figure') {
    return (
      <p className="section-preview section-figure">
        <span>{content}</span> <strong>{title}</strong>
      </p>
    );
  }
  return (
    <div className="section-preview">
      <p className="section-heading">{title}</p>
      {place.content !== null && content !== '' && <p>{content}</p>}
    </div>
  );
}
