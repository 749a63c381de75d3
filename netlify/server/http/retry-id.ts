import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';

/**
 * Returns the key by which the server recognizes a repeated request, or null.
 * @throws {Refusal} `invalid_input` for a key that is empty or longer than 255 characters.
 */
export function retryKeyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key !== null && (key.length === 0 || key.length > 255)) {
    throw new Refusal('invalid_input', 'The Idempotency-Key header must have 1 to 255 characters.');
  }
  return key;
}

/** Returns a UUID (version 8, from a hash) of the retry key and the submitted text. */
export function idOf(key: string, input: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, Object.entries(input).sort()]))
    .digest();
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x80, 6);
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
