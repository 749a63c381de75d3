import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  type MediaRecord,
  type MediaUse,
  endingOf,
  mediaAnswer,
  mediaDetail,
  mediaInput,
  mediaListQuery,
  mediaPage,
  mediaRemoval,
  mediaReplacement,
} from '../../../src/domain/site/media.ts';
import { megabytesFor } from '../../../src/domain/submissions/upload.ts';
import { type Route, on, patternOf } from '../http/endpoint.ts';
import { announceChange, purgeTags } from '../publishing/announce-change.ts';
import { Refusal, found, notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { receiveMedia } from './receive.ts';

/** The file of every upload to the library. */
const file = { field: 'file', purpose: 'media', required: 'Choose a file.' } as const;

/** Returns a file and where the site uses it. @throws {Refusal} `not_found` */
async function fileWithUses({ id = '' }: Readonly<Record<string, string>>, { stores }: Services) {
  const data = found(await stores.media.get(id), 'This file');
  return { data, usedIn: await stores.media.usesOf(data) };
}

/**
 * Purges the cached copies of a replaced file. The URL of a file in a post contains the file's version, so the pages
 * and feeds of posts are purged too.
 */
async function showReplaced({ id }: MediaRecord, usedIn: readonly MediaUse[], services: Services): Promise<void> {
  const tags = [`media-${id}`];
  if (usedIn.some(({ kind }) => kind === 'post')) await announceChange(['posts', ...tags], services);
  else await purgeTags(tags, services);
}

export const mediaRoutes: readonly Route[] = [
  on('GET', apiPaths.media, {
    summary: 'The files of the media library, newest first',
    query: mediaListQuery,
    output: mediaPage,
    run: async ({ query, services: { stores } }) => await stores.media.list(query),
  }),
  on('POST', apiPaths.media, {
    summary: `Adds a file of at most ${megabytesFor('media')} MB to the media library`,
    file,
    output: mediaAnswer,
    status: 201,
    run: async ({ file: received, services: { stores, now }, record }) => {
      const added = await stores.media.create(await receiveMedia(received), now().toISOString());
      if (added.created) record('uploaded the file', added.record.originalName, undefined, added.record.id);
      return { data: added.record };
    },
  }),
  on('GET', patternOf(apiPaths.mediaFile, ':id'), {
    summary: 'One file of the media library, and where the site uses it',
    output: mediaDetail,
    run: async ({ params, services }) => await fileWithUses(params, services),
  }),
  on('PUT', patternOf(apiPaths.mediaFile, ':id'), {
    summary: 'Describes a picture, or marks it as decorative',
    input: mediaInput,
    output: mediaAnswer,
    run: async ({ params, input, services: { stores }, record }) => {
      const { record: file, isChanged } = await stores.media.update(params.id ?? '', input);
      const data = found(file, 'This file');
      if (isChanged) record('changed the file’s description', data.originalName);
      return { data };
    },
  }),
  on('DELETE', patternOf(apiPaths.mediaFile, ':id'), {
    summary: 'Moves a file to the trash, and returns where it was used',
    output: mediaRemoval,
    run: async ({ params, services, record, waitUntil }) => {
      const { media } = services.stores;
      const { record: file, isRemoved } = await media.remove(params.id ?? '', services.now().toISOString());
      const data = found(file, 'This file');
      if (isRemoved) record('deleted the file', data.originalName);
      waitUntil(purgeTags([`media-${data.id}`], services));
      return { success: true, usedIn: await media.usesOf(data) };
    },
  }),
  on('POST', patternOf(apiPaths.restoreMediaFile, ':id'), {
    summary: 'Restores a file from the trash',
    output: mediaAnswer,
    run: async ({ params, services, record, waitUntil }) => {
      const { record: file, isRestored } = await services.stores.media.restore(params.id ?? '');
      const data = found(file, 'This file');
      if (isRestored) record('restored the file', data.originalName);
      waitUntil(purgeTags([`media-${data.id}`], services));
      return { data };
    },
  }),
  on('POST', patternOf(apiPaths.replaceMediaFile, ':id'), {
    summary:
      'Replaces a file with another one of the same type, at the same URL. If the server has a later version, it refuses the file (409)',
    input: mediaReplacement,
    file,
    output: mediaAnswer,
    errors: { conflict: 'Someone else replaced the file, or the upload in `uploadId` is unknown or incomplete.' },
    run: async ({ params, input, file: received, services, record, waitUntil }) => {
      const { data: stored, usedIn } = await fileWithUses(params, services);
      const given = await receiveMedia(received);
      // The URL stays the same and ends in the extension, which email programs and feed readers rely on.
      if (given.mimeType !== stored.mimeType) {
        const ending = endingOf(stored.url);
        const message = `The file you chose is actually a ${endingOf(given.fileName)} file. The URL stays the same and ends in ${ending}, so choose a ${ending} file.`;
        throw new Refusal('unsupported_media_type', message, { errors: { file: message } });
      }
      const done = await services.stores.media.replace(stored.id, given, input.version, services.now().toISOString());
      const data = found(done?.record ?? null, 'This file');
      if (done?.outcome === 'changed') {
        const message = `Someone else replaced ${data.originalName} after you opened it. Check the current file. To replace it, try again.`;
        throw new Refusal('conflict', message, { current: data });
      }
      if (done?.outcome === 'replaced') {
        record('replaced the file', data.originalName);
        waitUntil(showReplaced(data, usedIn, services));
      }
      return { data };
    },
  }),
  on('POST', patternOf(apiPaths.undoReplaceMediaFile, ':id'), {
    summary: 'Restores the previous version of a replaced file. If the server has a later version, it refuses (409)',
    input: mediaReplacement,
    output: mediaAnswer,
    errors: { conflict: 'The file has changed since `version`.' },
    run: async ({ params, input: { version }, services, record, waitUntil }) => {
      const { data: current, usedIn } = await fileWithUses(params, services);
      const data = await services.stores.media.putBack(current.id, version, services.now().toISOString());
      if (!data) {
        if (version !== undefined && version !== current.version) {
          const message = `${current.originalName} has changed since you replaced it. Check the current file.`;
          throw new Refusal('conflict', message, { current });
        }
        throw notFound('The previous version');
      }
      record('restored the previous file', data.originalName);
      waitUntil(showReplaced(data, usedIn, services));
      return { data };
    },
  }),
];
