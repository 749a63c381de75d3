/**
 * Returns the `Content-Disposition` header, which gives a file its name. Headers allow only Latin-1, so the name is
 * percent-encoded (RFC 5987), with a plain form for old clients.
 * @param name any text, because the person who uploaded the file chose it.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_').trim() || 'file';
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/**
 * Returns headers that make a browser save a file and never show it, so its content cannot run on this site.
 * @param name any text, as for {@link contentDisposition}.
 */
export function attachmentHeaders(name: string, type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': contentDisposition('attachment', name),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}
