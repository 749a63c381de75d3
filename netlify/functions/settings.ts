import type { Config } from '@netlify/functions';
import { logoDetail, logoReceipt, settingsAnswer } from '../../src/domain/logo.ts';
import { purgeTags } from '../server/announce-change.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { publicJson } from '../server/http/respond.ts';
import { receiveLogo } from '../server/receive-media.ts';

const logoTags = ['logo'];

export default endpoint(
  on('GET', '/api/settings', {
    access: 'public',
    summary: "The site's logo: its address, file name and last change.",
    output: settingsAnswer,
    run: async ({ request, services: { stores } }) =>
      publicJson({ data: (await stores.logo.get()).data }, request, logoTags),
  }),
  on('GET', '/api/settings/logo', {
    access: 'admin',
    summary: 'The logo, and the one before it.',
    output: logoDetail,
    run: async ({ services: { stores } }) => await stores.logo.get(),
  }),
  on('POST', '/api/settings/logo', {
    access: 'admin',
    summary: 'Takes a picture of at most 5 MB as the logo; the one before is kept.',
    file: { field: 'logo', purpose: 'logo', required: 'Choose a picture for the logo.' },
    output: logoReceipt,
    run: async ({ file, services: { stores, now }, record, waitUntil }) => {
      const { mimeType, bytes } = await receiveLogo(file);
      const sha256 = await stores.media.keep(bytes);
      const logo = { fileName: file.name, mimeType, size: bytes.byteLength, sha256 };
      const detail = await stores.logo.create(logo, now().toISOString());
      record('changed the logo', file.name);
      waitUntil(purgeTags(logoTags));
      return { success: true, message: 'Your logo has been uploaded successfully', ...detail };
    },
  }),
  on('POST', '/api/settings/logo/restore', {
    access: 'admin',
    summary: 'Puts the logo before this one back.',
    output: logoDetail,
    run: async ({ services: { stores, now }, record, waitUntil }) => {
      const detail = await stores.logo.restore(now().toISOString());
      if (!detail) throw new Refusal('conflict', 'There is no logo before this one.');
      record('restored the logo', detail.data.logoFileName);
      waitUntil(purgeTags(logoTags));
      return detail;
    },
  }),
  on('DELETE', '/api/settings/logo', {
    access: 'admin',
    summary: 'Goes back to the logo that comes with the site.',
    output: logoDetail,
    run: async ({ services: { stores, now }, record, waitUntil }) => {
      const detail = await stores.logo.putDefault(now().toISOString());
      record('went back to the default logo');
      waitUntil(purgeTags(logoTags));
      return detail;
    },
  }),
);

export const config: Config = {
  path: ['/api/settings', '/api/settings/logo', '/api/settings/logo/restore'],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
