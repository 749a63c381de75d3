import type { Config } from '@netlify/functions';
import { sectionInput, sectionKey } from '../../src/domain/section.ts';
import { announceChange } from '../server/announce-change.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { publicJson } from '../server/http/respond.ts';

const keyOf = (params: Readonly<Record<string, string>>) => {
  const key = sectionKey.safeParse(params.key);
  if (!key.success) throw notFound('This section');
  return key.data;
};

export default endpoint(
  on('GET', '/api/cms/content/:key', {
    access: 'public',
    run: async ({ request, params, services }) => {
      const key = keyOf(params);
      return publicJson({ data: await services.stores.sections.get(key) }, request, ['content', `content-${key}`]);
    },
  }),
  on('PUT', '/api/cms/content/:key', {
    access: 'admin',
    input: sectionInput,
    run: async ({ params, input, services, waitUntil, record }) => {
      const key = keyOf(params);
      const section = await services.stores.sections.put(key, input, services.now().toISOString());
      record('changed the text', key);
      waitUntil(announceChange(['content', `content-${key}`], services));
      return { data: section };
    },
  }),
);

export const config: Config = {
  path: '/api/cms/content/:key',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
