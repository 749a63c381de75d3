import { createHash } from 'node:crypto';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { defaultLogoPath, logoDetail, logoReceipt, settingsAnswer } from '../../../src/domain/logo.ts';
import { megabytesFor } from '../../../src/domain/upload.ts';
import { type Route, on } from '../endpoint/endpoint.ts';
import { fileAnswer } from '../http/file-answer.ts';
import { publicJson } from '../http/respond.ts';
import { receiveLogo } from '../media/receive.ts';
import { siteFile } from '../platform/site-file.ts';
import { purgeTags } from '../publishing/announce-change.ts';
import { logError } from '../runtime/log.ts';
import { Refusal } from '../runtime/refusal.ts';

const logoTags = ['logo'];

export const logoRoutes: readonly Route[] = [
  on('GET', apiPaths.settings, {
    access: 'public',
    summary: "The site's logo: its address, file name and last change.",
    output: settingsAnswer,
    run: async ({ request, services: { stores } }) =>
      publicJson({ data: (await stores.logo.get()).data }, request, logoTags),
  }),
  on('GET', apiPaths.logo, {
    access: 'admin',
    summary: 'The logo, and the previous logo.',
    output: logoDetail,
    run: async ({ services: { stores } }) => await stores.logo.get(),
  }),
  on('POST', apiPaths.logo, {
    access: 'admin',
    summary: `Takes a picture of at most ${megabytesFor('logo')} MB as the logo. The previous logo is kept.`,
    file: { field: 'logo', purpose: 'logo', required: 'Choose a picture for the logo.' },
    output: logoReceipt,
    run: async ({ file, services: { stores, now }, record, waitUntil }) => {
      const { mimeType, bytes } = await receiveLogo(file);
      const detail = await stores.media.withBytes(bytes, (sha256) =>
        stores.logo.create({ fileName: file.name, mimeType, size: bytes.byteLength, sha256 }, now().toISOString()),
      );
      record('uploaded the new logo', file.name);
      waitUntil(purgeTags(logoTags));
      return { success: true, message: 'Your logo has been uploaded successfully', ...detail };
    },
  }),
  on('POST', apiPaths.restoreLogo, {
    access: 'admin',
    summary: 'Restores the previous logo.',
    output: logoDetail,
    run: async ({ services: { stores, now }, record, waitUntil }) => {
      const detail = await stores.logo.restore(now().toISOString());
      if (!detail) throw new Refusal('conflict', 'There is no previous logo to restore.');
      record('restored the logo', detail.data.logoFileName);
      waitUntil(purgeTags(logoTags));
      return detail;
    },
  }),
  on('DELETE', apiPaths.logo, {
    access: 'admin',
    summary: 'Restores the default logo.',
    output: logoDetail,
    run: async ({ services: { stores, now }, record, waitUntil }) => {
      const detail = await stores.logo.putDefault(now().toISOString());
      record('reset the logo to the default');
      waitUntil(purgeTags(logoTags));
      return detail;
    },
  }),
];

/** Netlify's CDN caches the logo until the logo changes or the site is deployed again. Browsers revalidate each time. */
const kept = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
  'netlify-cache-tag': 'logo',
};
/** Headers for the default logo while the uploaded logo cannot be read. */
const keptBriefly = { ...kept, 'netlify-cdn-cache-control': 'public, max-age=60' };

export const logoFileRoute: Route = on('GET', '/uploads/logo', {
  access: 'public',
  summary: 'The uploaded logo, or the default logo.',
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
