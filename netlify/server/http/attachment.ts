/**
 * The `Content-Disposition` of a file that a stranger named. The name travels percent-encoded (RFC 5987), next to a plain
 * form for old clients: a header holds no other characters.
 */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_').trim() || 'file';
  if (plain === name) return `${kind}; filename="${plain}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Headers of a file that a browser must save and never show: whatever it holds, it does not run on this site. */
export function attachmentHeaders(name: string, type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': dispositionOf('attachment', name),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}
