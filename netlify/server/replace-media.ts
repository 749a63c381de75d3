import type { MediaRecord } from '../../src/domain/media.ts';
import type { ReceivedFile } from './http/multipart.ts';
import { Refusal, notFound } from './http/refusal.ts';
import { receiveMedia } from './receive-media.ts';
import type { Services } from './services.ts';

interface Replacement {
  readonly file: MediaRecord;
  /** False if the file already has these bytes, because the same request was sent twice. */
  readonly replaced: boolean;
}

/**
 * Puts another file at the address of one, received as an upload is. The address ends in what the file is, and readers,
 * mail programs and feeds go by that: only a file of the same type, told by its content, takes its place.
 * @param version that the admin saw; none where any is replaced.
 * @throws {Refusal} `not_found`; `conflict` with the stored file where another one took its place since; and as {@link receiveMedia}.
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
    const message = `The address of this file ends in ${ending}: choose a ${ending} file. This one is ${endingOf(file.fileName)}.`;
    throw new Refusal('unsupported_media_type', message, { errors: { file: message } });
  }
  const done = await stores.media.replace(id, file, version ?? null, now().toISOString());
  if (!done) throw notFound('This file');
  if (done.outcome === 'changed') throw replacedSince(done.record);
  return { file: done.record, replaced: done.outcome === 'replaced' };
}

/**
 * Puts back what stood at the address of a file before.
 * @param version that the admin saw; none where any is replaced.
 * @throws {Refusal} `not_found`, also where no former file is kept; `conflict` as {@link replaceMedia}.
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
  if (version !== undefined && version !== current.version) throw replacedSince(current);
  throw notFound('The file that stood here before');
}

const replacedSince = (current: MediaRecord) =>
  new Refusal(
    'conflict',
    'Somebody else has replaced this file since you opened it. Look at theirs; if yours is still wanted, try again.',
    { current },
  );

const endingOf = (address: string) => address.slice(address.lastIndexOf('.'));
