import { apiPaths } from '../../../src/domain/api-paths.ts';
import { logoDetail, logoReceipt, logoRestoration, settingsAnswer } from '../../../src/domain/site/logo.ts';
import { megabytesFor } from '../../../src/domain/submissions/upload.ts';
import { type Route, on } from '../http/endpoint.ts';
import { publicJson } from '../http/respond.ts';
import { receiveLogo } from '../media/receive.ts';
import { purgeTags } from '../publishing/announce-change.ts';
import { Refusal } from '../refusal.ts';

const logoTags = ['logo'];

export const logoRoutes: readonly Route[] = [
  on('GET', apiPaths.settings, {
    access: 'public',
    summary: "The site's logo: its URL, file name and last change",
    output: settingsAnswer,
    run: async ({ request, services: { stores } }) =>
      publicJson({ data: (await stores.logo.get()).data }, request, logoTags),
  }),
  on('GET', apiPaths.logo, {
    summary: 'The logo, and the previous logo',
    output: logoDetail,
    run: async ({ services: { stores } }) => await stores.logo.get(),
  }),
  on('POST', apiPaths.logo, {
    summary: `Replaces the logo with a picture of at most ${megabytesFor('logo')} MB. Keeps the previous logo`,
    file: { field: 'logo', purpose: 'logo', required: 'Choose a picture for the logo.' },
    output: logoReceipt,
    run: async ({ file, services, record, waitUntil }) => {
      const { stores, now } = services;
      const { mimeType, bytes } = await receiveLogo(file);
      const { detail, isNew } = await stores.media.withBytes(bytes, (sha256) =>
        stores.logo.put({ fileName: file.name, mimeType, size: bytes.byteLength, sha256 }, now().toISOString()),
      );
      if (isNew) record('uploaded the new logo', file.name);
      waitUntil(purgeTags(logoTags, services));
      return { success: true, message: 'Your logo has been uploaded successfully', ...detail };
    },
  }),
  on('POST', apiPaths.restoreLogo, {
    summary: 'Restores the previous logo',
    input: logoRestoration,
    output: logoDetail,
    errors: { conflict: 'The logo with this version is no longer stored.' },
    run: async ({ input, services, record, waitUntil }) => {
      const restored = await services.stores.logo.restore(input.version, services.now().toISOString());
      if (!restored)
        throw new Refusal('conflict', 'The previous logo is no longer stored. Reload the page to see the current one.');
      const { detail, isNew } = restored;
      if (isNew) record('restored the logo', detail.data.logoFileName);
      waitUntil(purgeTags(logoTags, services));
      return detail;
    },
  }),
  on('DELETE', apiPaths.logo, {
    summary: 'Restores the default logo',
    output: logoDetail,
    run: async ({ services, record, waitUntil }) => {
      const { detail, isNew } = await services.stores.logo.putDefault(services.now().toISOString());
      if (isNew) record('reset the logo to the default');
      waitUntil(purgeTags(logoTags, services));
      return detail;
    },
  }),
];
