import * as z from 'zod/mini';
import { endpoint, on } from '../server/endpoint/endpoint.ts';
import { fileAnswer } from '../server/http/file-answer.ts';
import { notFound } from '../server/runtime/refusal.ts';

/** The `Cache-Control` header for a URL with a version (`?v=`). The file at such a URL never changes. */
const keptForGood = 'public, max-age=31536000, immutable';
/**
 * The `Cache-Control` header for a URL without a version. An admin can replace the file at this URL. Browsers then
 * check for a new file after a minute, and may show the old file for five more minutes.
 */
const keptBriefly = 'public, max-age=60, stale-while-revalidate=300';

export default endpoint(
  { requestsAMinute: 1200 },
  on('GET', '/uploads/:id/:name', {
    access: 'public',
    summary: 'A file of the media library, whole or in part.',
    query: z.object({ v: z.optional(z.string()) }),
    output: '*/*',
    run: async ({ request, params, query, services: { stores } }) => {
      const id = params.id ?? '';
      const file = await stores.media.fileOf(id);
      // Only the file's own name is accepted. Otherwise a link could give a file a misleading name.
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
