import { apiPaths } from '../../domain/api-paths.ts';
import { sectionText } from '../../domain/section-text.ts';

type SectionPart = 'title' | 'content';

/** Reads the parts that are shown; anything else in place of a section counts as none. */
interface SectionAnswer {
  data?: Partial<Record<SectionPart, unknown>> | null;
}

/**
 * Brings the editable texts of a page that was built earlier up to date: every element with `data-section="{key}"`, and
 * `data-section-part="content"` where it shows the content rather than the title. Text is replaced only where it differs
 * from what is shown, so an unchanged page is not touched at all. A failure changes nothing and says nothing: the page
 * is complete as built.
 */
export async function refreshSections(): Promise<void> {
  const places = [...document.querySelectorAll<HTMLElement>('[data-section]')];
  const keys = [...new Set(places.map(keyOf))];
  await Promise.all(
    keys.map((key) =>
      refresh(
        key,
        places.filter((place) => keyOf(place) === key),
      ),
    ),
  );
}

const keyOf = (place: HTMLElement) => place.dataset['section'] ?? '';

async function refresh(key: string, elements: HTMLElement[]): Promise<void> {
  let section: SectionAnswer['data'];
  try {
    const response = await fetch(apiPaths.section(key), { headers: { accept: 'application/json' } });
    if (!response.ok) return;
    section = ((await response.json()) as SectionAnswer | null)?.data;
  } catch {
    return;
  }
  if (!section) return;
  for (const element of elements) {
    const part: SectionPart = element.dataset['sectionPart'] === 'content' ? 'content' : 'title';
    const given = section[part];
    const text = typeof given === 'string' ? sectionText(given) : '';
    if (text !== '' && text !== element.textContent.replace(/\s+/g, ' ').trim()) element.textContent = text;
  }
}
