import type { SectionLocation } from '../../domain/section.ts';
import { sectionText } from '../../domain/section-text.ts';
import type { SectionDraft } from './section-draft.ts';

/** Previews a section the way the site shows it, as plain text without tags. */
export function SectionPreview({ location, words }: { location: SectionLocation; words: SectionDraft }) {
  const title = sectionText(words.title);
  const content = sectionText(words.content);
  if (location.look === 'figure') {
    // A figure whose title contains no digit has no number yet; the title is then the label.
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
      {location.content !== null && content !== '' && <p>{content}</p>}
    </div>
  );
}
