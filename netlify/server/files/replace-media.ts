import { type MediaRecord, endingOf } from '../../../src/domain/media.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { Refusal, notFound } from '../runtime/refusal.ts';
import { receiveMedia } from './receive-media.ts';
import type { Services } from '../services.ts';

interface Replacement {
  readonly file: MediaRecord;
  /** False if the file already has these bytes, for example because a request was repeated. */
  readonly replaced: boolean;
}

/**
 * Replaces a file and keeps its URL. The new file is checked like an upload. It must have the same type, because the
 * URL ends in the extension, and email programs and feed readers rely on the extension.
 * @param version the version that the admin saw. If undefined, the current version is not checked.
 * @throws {Refusal} `not_found`; `conflict` with the stored file if it has another version, because someone replaced
 * it; and the refusals of {@link receiveMedia}.
 */
export async function replaceMedia(
  id: string,
  received: ReceivedFile,
  version: string | undefined,
  { stores, now }: Services,
): Promise<Replacement> {
  const stored = await stores.media.get(id);
  if (!stored) throw notFound('This file');
  const file = await receiveMedia(received);
  if (file.mimeType !== stored.mimeType) {
    const ending = endingOf(stored.url);
    const message = `The file you chose is actually a ${endingOf(file.fileName)} file. The URL stays the same and ends in ${ending}, so choose a ${ending} file.`;
    throw new Refusal('unsupported_media_type', message, { errors: { file: message } });
  }
  const done = await stores.media.replace(id, file, version ?? null, now().toISOString());
  if (!done) throw notFound('This file');
  if (done.outcome === 'changed') throw replacedSince(done.record, 'replace it');
  return { file: done.record, replaced: done.outcome === 'replaced' };
}

/**
 * Restores the previous version of a file and keeps its URL.
 * @param version the version that the admin saw. If undefined, the current version is not checked.
 * @throws {Refusal} `not_found`, also if no previous version is stored; `conflict` as for {@link replaceMedia}.
 */
export async function undoReplacement(
  id: string,
  version: string | undefined,
  { stores, now }: Services,
): Promise<MediaRecord> {
  const putBack = await stores.media.putBack(id, version ?? null, now().toISOString());
  if (putBack) return putBack;
  const current = await stores.media.get(id);
  if (!current) throw notFound('This file');
  if (version !== undefined && version !== current.version) throw replacedSince(current, 'undo their replacement');
  throw notFound('The previous version');
}

const replacedSince = (current: MediaRecord, retry: string) =>
  new Refusal(
    'conflict',
    `Someone else replaced ${current.originalName} after you opened it. Check the current file. To ${retry}, try again.`,
    { current },
  );
