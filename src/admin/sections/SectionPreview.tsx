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
    // Where nothing was counted yet, the title only says what it will be.
    const [label, figure] = content === '' && !/\d/.test(title) ? [title, '–'] : [content, title];
    return (
      <p className="section-preview section-figure">
        <span>{label}</span> <strong>{figure}</strong>
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
