import { createHash } from 'node:crypto';
import { defaultLogoPath } from '../../../src/domain/site/logo.ts';
import { type Route, on } from '../http/endpoint.ts';
import { fileAnswer } from '../http/file-answer.ts';
import { cachedUntilPurged } from '../http/respond.ts';
import { siteFile } from '../platform.ts';
import { logError } from '../log.ts';

const kept = cachedUntilPurged('logo');
/** Headers for the default logo while the uploaded logo cannot be read. */
const keptBriefly = { ...kept, 'netlify-cdn-cache-control': 'public, max-age=60' };

export const logoFileRoute: Route = on('GET', '/uploads/logo', {
  access: 'public',
  summary: 'The uploaded logo, or the default logo',
  output: 'image/*',
  run: async ({ request, services: { stores } }) => {
    let headers = kept;
    try {
      const file = await stores.logo.file();
      const answer = file && (await fileAnswer(request, file, (part) => stores.media.read(file.sha256, part), kept));
      if (answer) return answer;
      if (file) headers = keptBriefly;
    } catch (error) {
      // Every public page shows the logo, so the default logo is served if the database fails.
      logError('uploaded logo not read', {}, error);
      headers = keptBriefly;
    }
    const bundled = await siteFile(defaultLogoPath, request);
    const redirected = new Response(null, { status: 302, headers: { location: defaultLogoPath } });
    if (!bundled) return redirected;
    const sha256 = createHash('sha256').update(bundled).digest('hex');
    const file = { fileName: 'logo.svg', mimeType: 'image/svg+xml', size: bundled.byteLength, sha256 };
    const source = async (part?: { start: number; end: number }) =>
      new Blob([part ? bundled.subarray(part.start, part.end + 1) : bundled]).stream();
    return (await fileAnswer(request, file, source, headers)) ?? redirected;
  },
});
