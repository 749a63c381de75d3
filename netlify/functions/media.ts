import type { Config } from '@netlify/functions';
import {
  mediaAnswer,
  mediaDetail,
  mediaInput,
  mediaListQuery,
  mediaPage,
  mediaRemoval,
  mediaReplacement,
} from '../../src/domain/media.ts';
import type { MediaRecord, MediaUse } from '../../src/domain/media.ts';
import { announceChange, purgeTags } from '../server/announce-change.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { notFound } from '../server/http/refusal.ts';
import { json } from '../server/http/respond.ts';
import { receiveMedia } from '../server/receive-media.ts';
import { replaceMedia, undoReplacement } from '../server/replace-media.ts';
import type { Services } from '../server/services.ts';

const found = (file: MediaRecord | null): MediaRecord => {
  if (!file) throw notFound('This file');
  return file;
};

const usesOf = async (id: string, { stores }: Services): Promise<MediaUse[]> =>
  await stores.media.usesOf(found(await stores.media.get(id)));

/** Posts name the versions of their files, so their pages and feeds are purged too. */
async function showReplaced({ id }: MediaRecord, usedIn: readonly MediaUse[], services: Services): Promise<void> {
  const tags = [`media-${id}`];
  if (usedIn.some(({ kind }) => kind === 'post')) await announceChange(['posts', ...tags], services);
  else await purgeTags(tags);
}

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
        await receiveMedia(file),
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
      const [usedIn, former] = await Promise.all([stores.media.usesOf(data), stores.media.former(data.id)]);
      return { data, usedIn, former };
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
  on('POST', '/api/cms/media/:id/replace', {
    access: 'admin',
    summary:
      'Puts another file of the same type at the address of one. A later version on the server refuses it (409).',
    input: mediaReplacement,
    file: { field: 'file', purpose: 'media', required: 'Choose a file.' },
    output: mediaAnswer,
    run: async ({ params, input, file, services, record, waitUntil }) => {
      const id = params.id ?? '';
      const usedIn = await usesOf(id, services);
      const { file: data, replaced } = await replaceMedia(id, file, input.version, services);
      if (replaced) {
        record('replaced the file', data.originalName);
        waitUntil(showReplaced(data, usedIn, services));
      }
      return { data };
    },
  }),
  on('POST', '/api/cms/media/:id/replace/undo', {
    access: 'admin',
    summary: 'Puts the file back that was replaced last. A later version on the server refuses it (409).',
    input: mediaReplacement,
    output: mediaAnswer,
    run: async ({ params, input, services, record, waitUntil }) => {
      const id = params.id ?? '';
      const usedIn = await usesOf(id, services);
      const data = await undoReplacement(id, input.version, services);
      record('put back the former file', data.originalName);
      waitUntil(showReplaced(data, usedIn, services));
      return { data };
    },
  }),
);

export const config: Config = {
  path: [
    '/api/cms/media',
    '/api/cms/media/:id',
    '/api/cms/media/:id/restore',
    '/api/cms/media/:id/replace',
    '/api/cms/media/:id/replace/undo',
  ],
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
