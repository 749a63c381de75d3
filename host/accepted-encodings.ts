import Negotiator from 'negotiator';

export type Compression = 'br' | 'gzip';

// Caches parsed headers. Browsers send only a handful of different values, so a small cache is enough.
const before = new Map<string, ReadonlySet<Compression>>();
const none: ReadonlySet<Compression> = new Set();

/** Returns which of Brotli and gzip an `Accept-Encoding` header accepts. */
export function acceptedEncodings(header: string | null): ReadonlySet<Compression> {
  if (header === null) return none;
  const known = before.get(header);
  if (known) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const accepted = new Set(negotiator.encodings(['br', 'gzip']) as Compression[]);
  if (before.size < 100) before.set(header, accepted);
  return accepted;
}
