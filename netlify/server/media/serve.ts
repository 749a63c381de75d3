import * as z from 'zod/mini';
import { type Route, on } from '../http/endpoint.ts';
import { fileAnswer } from '../http/file-answer.ts';
import { cachedUntilPurged } from '../http/respond.ts';
import { notFound } from '../refusal.ts';

/** The `Cache-Control` header for a URL with a version (`?v=`). The file at such a URL never changes. */
const keptForGood = 'public, max-age=31536000, immutable';
/**
 * The `Cache-Control` header for a URL without a version. An admin can replace the file at this URL. Browsers then
 * check for a new file after a minute, and may show the old file for five more minutes.
 */
const keptBriefly = 'public, max-age=60, stale-while-revalidate=300';

export const mediaFileRoute: Route = on('GET', '/uploads/:id/:name', {
  access: 'public',
  summary: 'A file of the media library, whole or in part',
  query: z.object({ v: z.optional(z.string()) }),
  output: '*/*',
  run: async ({ request, params: { id = '', name }, query, services: { stores } }) => {
    const stored = await stores.media.fileOf(id);
    // Only the file's own name is accepted. Otherwise a link could give a file a misleading name.
    if (!stored || stored.fileName !== name) throw notFound('This file');
    const answer = await fileAnswer(request, stored, (part) => stores.media.read(stored.sha256, part), {
      ...cachedUntilPurged('media', `media-${id}`),
      'cache-control': query.v === stored.version ? keptForGood : keptBriefly,
    });
    if (!answer) throw notFound('This file');
    return answer;
  },
});
