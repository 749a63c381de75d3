import { createHash } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { defaultLogoPath } from '../../src/domain/logo.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { type FileSource, fileAnswer } from '../server/http/file-answer.ts';
import { logError } from '../server/log.ts';
import { siteFile } from '../server/site-file.ts';

/** Netlify's CDN keeps the logo until it changes or the site is deployed again. Browsers check each time. */
const kept = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
  'netlify-cache-tag': 'logo',
};
/** For the default logo while the blob store does not answer. */
const keptBriefly = { ...kept, 'netlify-cdn-cache-control': 'public, max-age=60' };

export default endpoint(
  on('GET', '/uploads/logo', {
    access: 'public',
    summary: 'The logo: the uploaded one, else the one that comes with the site.',
    output: 'image/*',
    run: async ({ request, services: { stores } }) => {
      let headers = kept;
      try {
        const file = await stores.logo.file();
        const answer = file && (await fileAnswer(request, file, (part) => stores.media.read(file.sha256, part), kept));
        if (answer) return answer;
        if (file) headers = keptBriefly;
      } catch (error) {
        // Every public page shows the logo: it must not be missing because the database is.
        logError('the uploaded logo was not reached', {}, error);
        headers = keptBriefly;
      }
      const bundled = await siteFile(defaultLogoPath, request);
      if (!bundled) return new Response(null, { status: 302, headers: { location: defaultLogoPath } });
      const sha256 = createHash('sha256').update(bundled).digest('hex');
      const file = { fileName: 'logo.svg', mimeType: 'image/svg+xml', size: bundled.byteLength, sha256 };
      const source: FileSource = async (part) =>
        new Blob([part ? bundled.subarray(part.start, part.end + 1) : bundled]).stream();
      return (await fileAnswer(request, file, source, headers)) ?? new Response(null, { status: 404 });
    },
  }),
);

export const config: Config = {
  path: '/uploads/logo',
  rateLimit: { windowLimit: 1200, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
