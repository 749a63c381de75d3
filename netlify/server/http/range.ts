import parseRange from 'range-parser';
import type { Part } from '../platform/platform.ts';

/**
 * Returns the part of a file that a request asks for: null for the whole file, and `unsatisfiable` for a part that the
 * file does not have. A request with several ranges or an invalid range gets the whole file, as RFC 9110 allows.
 */
export function rangeOf(
  request: Request,
  { size, etag }: { size: number; etag: string },
): Part | 'unsatisfiable' | null {
  const range = request.headers.get('range');
  const ifRange = request.headers.get('if-range');
  if (range === null || (ifRange !== null && ifRange !== etag)) return null;
  const wanted = parseRange(size, range, { combine: true });
  if (wanted === -1) return 'unsatisfiable';
  const [part, another] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted;
  return part && !another ? part : null;
}

/** Returns the headers of a response with status 416, or with status 206 for a part. */
export function rangeHeaders(range: Part | 'unsatisfiable', size: number): [string, string][] {
  if (range === 'unsatisfiable') return [['content-range', `bytes */${size}`]];
  const { start, end } = range;
  return [
    ['content-range', `bytes ${start}-${end}/${size}`],
    ['content-length', String(end - start + 1)],
  ];
}
