import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { CommandError } from '../errors.ts';

/*
 * Encrypted archives have the format of age with a passphrase (https://age-encryption.org/v1). The program `age` decrypts
 * them too, without this project. Archives of any size pass through memory in chunks.
 */

const firstBytes = 'age-encryption.org/v1';
/** BACKUP_KEY is long and random, so a slow derivation would only cost memory: 256 MB by default, 16 MB with this factor. */
const workFactor = 14;

const streamOf = (bytes: Readable) => Readable.toWeb(bytes) as ReadableStream<Uint8Array>;

/** Writes an archive to a file that only this account may read. @param key if given, encrypts the archive. */
export async function writeArchive(archive: AsyncIterable<Uint8Array>, file: string, key?: string): Promise<void> {
  const to = createWriteStream(file, { mode: 0o600, flush: true });
  if (key === undefined) return await pipeline(archive, to);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(key);
  encrypter.setScryptWorkFactor(workFactor);
  await pipeline(await encrypter.encrypt(streamOf(Readable.from(archive))), to);
}

/**
 * Opens an archive, and decrypts it if it is encrypted.
 * @throws {CommandError} if the key is missing or wrong.
 */
export async function readArchive(file: string, key?: string): Promise<AsyncIterable<Uint8Array>> {
  const handle = await open(file);
  const begin = await handle.read(Buffer.alloc(firstBytes.length), 0, firstBytes.length, 0);
  const bytes = handle.createReadStream({ start: 0 });
  if (begin.buffer.toString() !== firstBytes) return bytes;
  try {
    const decrypter = new Decrypter();
    if (key === undefined)
      throw new CommandError(`${file} is encrypted. Set BACKUP_KEY to the key that was set when the backup was made.`);
    decrypter.addPassphrase(key);
    return await decrypter.decrypt(streamOf(bytes));
  } catch (error) {
    bytes.destroy();
    if (!(error instanceof Error && error.message.startsWith('no identity matched'))) throw error;
    throw new CommandError(
      `BACKUP_KEY does not decrypt ${file}. Set BACKUP_KEY to the key that was set when the backup was made.`,
    );
  }
}
