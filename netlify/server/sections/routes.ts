import { apiPaths } from '../../../src/domain/api-paths.ts';
import { listText } from '../../../src/domain/text/text.ts';
import {
  sectionAnswer,
  sectionChange,
  sectionList,
  sectionSaved,
  sectionsInitialized,
  shownSections as shownSectionsAnswer,
} from '../../../src/domain/site/section.ts';
import { announceChange, publishingOf } from '../publishing/announce-change.ts';
import { firstSections, sectionEntries, shownSections } from './first-sections.ts';
import { on, patternOf } from '../http/endpoint.ts';
import { Refusal, notFound } from '../refusal.ts';
import { publicJson } from '../http/respond.ts';

const keyOf = ({ key = '' }: Readonly<Record<string, string>>) => {
  if (!firstSections.has(key)) throw notFound('This section');
  return key;
};

/** Returns a section's name in the Content Editor. */
const labelOf = (key: string) => firstSections.get(key)?.location.label ?? key;

const tagsOf = (keys: readonly string[]) => ['content', ...keys.map((key) => `content-${key}`)];

export const sectionRoutes = [
  on('GET', apiPaths.sections, {
    summary: 'The editable sections of the home page, in page order, with the default text',
    output: sectionList,
    run: async ({ services }) => ({ data: await sectionEntries(services) }),
  }),
  on('POST', apiPaths.initializeSections, {
    summary: 'Stores the default text of each section that has no text. Edited text does not change',
    output: sectionsInitialized,
    run: async ({ services, waitUntil, record }) => {
      const added = await services.stores.sections.addMissing(firstSections, services.now().toISOString());
      if (added.length > 0) {
        const all = added.length === firstSections.size;
        record('stored the default texts', all ? 'all sections' : listText(added.map((key) => `“${labelOf(key)}”`)));
        waitUntil(announceChange(tagsOf(added), services));
      }
      return { data: await sectionEntries(services), added };
    },
  }),
  on('GET', apiPaths.publishedSections, {
    access: 'public',
    summary:
      'The text of the home page as the site shows it: plain text, and the default text of a section that is not stored',
    output: shownSectionsAnswer,
    run: async ({ request, services }) =>
      publicJson({ data: shownSections(await services.stores.sections.list()) }, request, ['content']),
  }),
  on('GET', patternOf(apiPaths.section, ':key'), {
    access: 'public',
    summary: 'One section of the home page',
    output: sectionAnswer,
    run: async ({ request, params, services }) => {
      const key = keyOf(params);
      return publicJson({ data: await services.stores.sections.get(key) }, request, tagsOf([key]));
    },
  }),
  on('PUT', patternOf(apiPaths.section, ':key'), {
    summary: 'Changes a section of the home page, unless someone else changed it since the editor read it',
    input: sectionChange,
    output: sectionSaved,
    errors: { conflict: 'Someone else saved the text after the editor read it.' },
    run: async ({ params, input, services, waitUntil, record }) => {
      const key = keyOf(params);
      const at = services.now().toISOString();
      const section = await services.stores.sections.put(key, input, at);
      if (!section) {
        const current = (await sectionEntries(services)).find(({ sectionKey }) => sectionKey === key);
        throw new Refusal('conflict', 'Someone else changed this section while you were editing.', { current });
      }
      // After a lost response, the request is sent again, and the text has the time of the first request.
      if (section.updatedAt === at) record('changed the section', labelOf(key));
      waitUntil(announceChange(tagsOf([key]), services));
      return { data: section, publishing: publishingOf(services) };
    },
  }),
];
