import { apiPaths } from '../../domain/api-paths.ts';
import type { ShownSections } from '../../domain/section.ts';

/**
 * Brings the editable texts of a page up to date until a build has them: every element with `data-section="{key}"`, and
 * `data-section-part="content"` if it shows the content rather than the title. Only text that differs is replaced, so a page
 * that is up to date is not touched. A failure changes nothing and says nothing: the page is complete as built.
 */
export async function refreshSections(): Promise<void> {
  let sections: Partial<ShownSections> | undefined;
  try {
    const response = await fetch(apiPaths.publishedSections, { headers: { accept: 'application/json' } });
    if (!response.ok) return;
    sections = ((await response.json()) as { data?: ShownSections } | null)?.data;
  } catch {
    return;
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-section]')) {
    const section = sections?.[element.dataset['section'] as keyof ShownSections];
    const text = section?.[element.dataset['sectionPart'] === 'content' ? 'content' : 'title'];
    if (typeof text === 'string' && text !== element.textContent.replace(/\s+/g, ' ').trim())
      element.textContent = text;
  }
}
