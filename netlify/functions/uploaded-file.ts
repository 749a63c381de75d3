import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { endpoint, on } from '../server/http/endpoint.ts';
import { fileAnswer } from '../server/http/file-answer.ts';
import { notFound } from '../server/http/refusal.ts';

/** Under the address that names its version (`?v=`) a file never changes. */
const keptForGood = 'public, max-age=31536000, immutable';
/**
 * Under its plain address another file may take its place. Browsers ask again after a minute, and until five minutes later
 * they may show what they have meanwhile. Netlify's CDN, which answers them, keeps it until its tag is purged.
 */
const keptBriefly = 'public, max-age=60, stale-while-revalidate=300';

export default endpoint(
  on('GET', '/uploads/:id/:name', {
    access: 'public',
    summary: 'A file of the media library, whole or in part.',
    query: z.object({ v: z.optional(z.string()) }),
    output: '*/*',
    run: async ({ request, params, query, services: { stores } }) => {
      const id = params.id ?? '';
      const file = await stores.media.fileOf(id);
      // A file has one address: under another name it could be passed off as something else.
      if (!file || file.fileName !== params.name) throw notFound('This file');
      const { sha256 } = file;
      const answer = await fileAnswer(request, file, (part) => stores.media.read(sha256, part), {
        'cache-control': query.v === file.version ? keptForGood : keptBriefly,
        'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
        'netlify-cache-tag': `media,media-${id}`,
      });
      if (!answer) throw notFound('This file');
      return answer;
    },
  }),
);

export const config: Config = {
  path: '/uploads/:id/:name',
  rateLimit: { windowLimit: 1200, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
