import { apiPaths } from '../../src/domain/api-paths.ts';
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
import { megabytesFor } from '../../src/domain/upload.ts';
import { announceChange, purgeTags } from '../server/publishing/announce-change.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { notFound } from '../server/runtime/refusal.ts';
import { json } from '../server/http/respond.ts';
import { receiveMedia } from '../server/files/receive-media.ts';
import { replaceMedia, undoReplacement } from '../server/files/replace-media.ts';
import type { Services } from '../server/services.ts';

const found = (file: MediaRecord | null): MediaRecord => {
  if (!file) throw notFound('This file');
  return file;
};

const usesOf = async (id: string, { stores }: Services): Promise<MediaUse[]> =>
  await stores.media.usesOf(found(await stores.media.get(id)));

/**
 * Purges the cached copies of a replaced file. The URL of a file in a post contains the file's version, so the pages
 * and feeds of posts are purged too.
 */
async function showReplaced({ id }: MediaRecord, usedIn: readonly MediaUse[], services: Services): Promise<void> {
  const tags = [`media-${id}`];
  if (usedIn.some(({ kind }) => kind === 'post')) await announceChange(['posts', ...tags], services);
  else await purgeTags(tags);
}

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', apiPaths.media, {
    access: 'admin',
    summary: 'The files of the media library, newest first.',
    query: mediaListQuery,
    output: mediaPage,
    run: async ({ query, services: { stores } }) => await stores.media.list(query),
  }),
  on('POST', apiPaths.media, {
    access: 'admin',
    summary: `Adds a file of at most ${megabytesFor('media')} MB to the media library.`,
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
  on('GET', patternOf(apiPaths.mediaFile, ':id'), {
    access: 'admin',
    summary: 'One file of the media library, and where the site uses it.',
    output: mediaDetail,
    run: async ({ params, services: { stores } }) => {
      const data = found(await stores.media.get(params.id ?? ''));
      const [usedIn, former] = await Promise.all([stores.media.usesOf(data), stores.media.former(data.id)]);
      return { data, usedIn, former };
    },
  }),
  on('PUT', patternOf(apiPaths.mediaFile, ':id'), {
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
  on('DELETE', patternOf(apiPaths.mediaFile, ':id'), {
    access: 'admin',
    summary: 'Moves a file to the trash, and returns where it was used.',
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
  on('POST', patternOf(apiPaths.restoreMediaFile, ':id'), {
    access: 'admin',
    summary: 'Restores a file from the trash.',
    output: mediaAnswer,
    run: async ({ params, services: { stores }, record, waitUntil }) => {
      const data = found(await stores.media.restore(params.id ?? ''));
      record('restored the file', data.originalName);
      waitUntil(purgeTags([`media-${data.id}`]));
      return { data };
    },
  }),
  on('POST', patternOf(apiPaths.replaceMediaFile, ':id'), {
    access: 'admin',
    summary:
      'Replaces a file with another one of the same type, at the same address. If the server has a later version, it refuses the file (409).',
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
  on('POST', patternOf(apiPaths.undoReplaceMediaFile, ':id'), {
    access: 'admin',
    summary: 'Restores the previous version of a replaced file. If the server has a later version, it refuses (409).',
    input: mediaReplacement,
    output: mediaAnswer,
    run: async ({ params, input, services, record, waitUntil }) => {
      const id = params.id ?? '';
      const usedIn = await usesOf(id, services);
      const data = await undoReplacement(id, input.version, services);
      record('restored the previous file', data.originalName);
      waitUntil(showReplaced(data, usedIn, services));
      return { data };
    },
  }),
);
