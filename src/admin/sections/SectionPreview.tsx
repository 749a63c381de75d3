import type { SectionInput, SectionLocation } from '../../domain/section.ts';
import { sectionText } from '../../domain/text.ts';

/** Previews a section the way the site shows it, as plain text without tags. */
export function SectionPreview({
  location,
  words,
}: {
  location: SectionLocation;
  words: Pick<SectionInput, 'title' | 'content'>;
}) {
  const title = sectionText(words.title);
  const content = sectionText(words.content);
  if (location.look === 'figure') {
    // Usually, the title is the number and the content is its label. If the content is empty and the title has no
    // digit, the preview shows the title as the label, with a dash instead of a number.
    const [label, figure] = content === '' && !/\d/.test(title) ? [title, '–'] : [content, title];
    return (
      <p className="flex max-w-176 min-w-0 items-baseline justify-between gap-4 wrap-anywhere">
        <span>{label}</span> <strong className="figures title-xl/[1.2]">{figure}</strong>
      </p>
    );
  }
  return (
    <div className="grid max-w-176 min-w-0 gap-1.5 wrap-anywhere">
      <p className="title-lg/[1.25]">{title}</p>
      {location.content !== null && content !== '' && <p>{content}</p>}
    </div>
  );
}
