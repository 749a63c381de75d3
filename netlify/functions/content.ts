import type { Config } from '@netlify/functions';
import {
  sectionAnswer,
  sectionChange,
  sectionKey,
  sectionList,
  sectionSaved,
  sectionsInitialized,
  shownSections as shownSectionsAnswer,
} from '../../src/domain/section.ts';
import { announceChange, publishingOf } from '../server/announce-change.ts';
import { firstSections, sectionEntries, shownSections } from '../server/first-sections.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal, notFound } from '../server/http/refusal.ts';
import { publicJson } from '../server/http/respond.ts';

const keyOf = (params: Readonly<Record<string, string>>) => {
  const key = sectionKey.safeParse(params.key);
  if (!key.success) throw notFound('This section');
  return key.data;
};

const tagsOf = (keys: readonly string[]) => ['content', ...keys.map((key) => `content-${key}`)];

export default endpoint(
  on('GET', '/api/cms/content', {
    access: 'admin',
    summary: 'The editable texts of the home page, in page order, with the texts that come with the site.',
    output: sectionList,
    run: async ({ services }) => ({ data: await sectionEntries(services) }),
  }),
  on('POST', '/api/cms/content/initialize', {
    access: 'admin',
    summary: 'Stores the first text of every section that has none; edited texts stay as they are.',
    output: sectionsInitialized,
    run: async ({ services, waitUntil, record }) => {
      const added = await services.stores.sections.addMissing(firstSections, services.now().toISOString());
      if (added.length > 0) {
        record('loaded the default texts', added.join(', '));
        waitUntil(announceChange(tagsOf(added), services));
      }
      return { data: await sectionEntries(services), added };
    },
  }),
  on('GET', '/api/cms/content/published', {
    access: 'public',
    summary:
      'The texts of the home page as the site shows them: plain text, the first text of a section that nobody has stored.',
    output: shownSectionsAnswer,
    run: async ({ request, services }) =>
      publicJson({ data: shownSections(await services.stores.sections.list()) }, request, ['content']),
  }),
  on('GET', '/api/cms/content/:key', {
    access: 'public',
    summary: 'A text of the home page.',
    output: sectionAnswer,
    run: async ({ request, params, services }) => {
      const key = keyOf(params);
      return publicJson({ data: await services.stores.sections.get(key) }, request, tagsOf([key]));
    },
  }),
  on('PUT', '/api/cms/content/:key', {
    access: 'admin',
    summary: 'Changes a text of the home page, unless somebody else changed it meanwhile.',
    input: sectionChange,
    output: sectionSaved,
    run: async ({ params, input, services, waitUntil, record }) => {
      const key = keyOf(params);
      const section = await services.stores.sections.put(key, input, services.now().toISOString());
      if (!section) throw new Refusal('conflict', 'Somebody else changed this text while you were writing.');
      record('changed the text', key);
      waitUntil(announceChange(tagsOf([key]), services));
      return { data: section, publishing: publishingOf(services) };
    },
  }),
);

export const config: Config = {
  path: ['/api/cms/content', '/api/cms/content/initialize', '/api/cms/content/published', '/api/cms/content/:key'],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
