/** True where the visitor's own connection is https, also behind a front that ends it. */
export function isSecure(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto');
  return new URL(request.url).protocol === 'https:' || forwarded?.split(',')[0]?.trim() === 'https';
}

/** The value of a request's cookie, as it was sent; null where there is none of that name. */
export function cookieValue(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
