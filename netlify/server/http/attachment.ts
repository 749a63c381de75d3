/**
 * Headers of a file that a browser must save and never show: whatever it holds, it does not run on this site.
 * @param name as a stranger's machine called it. It travels percent-encoded (RFC 5987), beside a plain form for old clients.
 */
export function attachmentHeaders(name: string, type: string): Record<string, string> {
  const plain = name.replace(/[^\w .()-]/g, '_').trim() || 'file';
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}
