import type { Config } from '@netlify/functions';
import {
  mediaAnswer,
  mediaDetail,
  mediaInput,
  mediaListQuery,
  mediaPage,
  mediaRemoval,
} from '../../src/domain/media.ts';
import type { MediaRecord } from '../../src/domain/media.ts';
import { purgeTags } from '../server/announce-change.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json } from '../server/http/respond.ts';
import { receiveMedia } from '../server/receive-media.ts';

const found = (file: MediaRecord | null): MediaRecord => {
  if (!file) throw notFound('This file');
  return file;
};

export default endpoint(
  on('GET', '/api/cms/media', {
    access: 'admin',
    summary: 'The files of the media library, newest first.',
    query: mediaListQuery,
    output: mediaPage,
    run: async ({ query, services: { stores } }) => await stores.media.list(query),
  }),
  on('POST', '/api/cms/media', {
    access: 'admin',
    summary: 'Adds a file of at most 10 MB to the media library.',
    file: { field: 'file', purpose: 'media', required: 'Choose a file.' },
    output: mediaAnswer,
    status: 201,
    run: async ({ file, services, record }) => {
      const { record: added, created } = await services.stores.media.create(
        receiveMedia(file),
        services.now().toISOString(),
      );
      if (created) record('uploaded the file', added.originalName);
      return json({ data: added }, { status: 201 });
    },
  }),
  on('GET', '/api/cms/media/:id', {
    access: 'admin',
    summary: 'A file of the media library, and where the site uses it.',
    output: mediaDetail,
    run: async ({ params, services: { stores } }) => {
      const data = found(await stores.media.get(params.id ?? ''));
      return { data, usedIn: await stores.media.usesOf(data) };
    },
  }),
  on('PUT', '/api/cms/media/:id', {
    access: 'admin',
    summary: 'Describes a picture, or marks it as decorative.',
    input: mediaInput,
    output: mediaAnswer,
    run: async ({ params, input, services: { stores }, record }) => {
      const data = found(await stores.media.update(params.id ?? '', input));
      record('described the file', data.originalName);
      return { data };
    },
  }),
  on('DELETE', '/api/cms/media/:id', {
    access: 'admin',
    summary: 'Puts a file into the trash, from which it can be restored, and says where it was used.',
    output: mediaRemoval,
    run: async ({ params, services, record, waitUntil }) => {
      const { stores, now } = services;
      const file = found(await stores.media.get(params.id ?? ''));
      const usedIn = await stores.media.usesOf(file);
      await stores.media.remove(file.id, now().toISOString());
      record('deleted the file', file.originalName);
      waitUntil(purgeTags([`media-${file.id}`]));
      return { success: true, usedIn };
    },
  }),
  on('POST', '/api/cms/media/:id/restore', {
    access: 'admin',
    summary: 'Takes a file out of the trash.',
    output: mediaAnswer,
    run: async ({ params, services: { stores }, record, waitUntil }) => {
      const data = found(await stores.media.restore(params.id ?? ''));
      record('restored the file', data.originalName);
      waitUntil(purgeTags([`media-${data.id}`]));
      return { data };
    },
  }),
);

export const config: Config = {
  path: ['/api/cms/media', '/api/cms/media/:id', '/api/cms/media/:id/restore'],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
