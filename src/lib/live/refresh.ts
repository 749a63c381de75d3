import { apiPaths } from '../../domain/api-paths.ts';
import type { ShownSections } from '../../domain/site/section.ts';

/**
 * Updates the editable text of a page to the current version, which may be newer than the build. The text is in
 * elements with `data-section="{key}"`; `data-section-part="content"` selects the section's content instead of its
 * title. Only different text is replaced. If the request fails, the page keeps its built text and shows no error.
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
    const section = sections?.[element.dataset['section']!];
    const text = section?.[element.dataset['sectionPart'] === 'content' ? 'content' : 'title'];
    if (typeof text === 'string' && text !== element.textContent.replace(/\s+/g, ' ').trim())
      element.textContent = text;
  }
}
