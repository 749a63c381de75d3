import { adminHome, returnPath } from '../../../src/domain/session.ts';

/** Admins can sign in on this page with a password, even while the OpenID provider is unreachable. */
export const signInPage = '/admin/sign-in';

/**
 * Returns the URL of the sign-in page. The query parameter `returnTo` names the page to open after the sign-in, and the
 * fragment names the reason for a refused sign-in.
 */
export function signInAddress(returnTo: string, fragment?: string): string {
  const query = returnTo === adminHome ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return `${signInPage}${query}${fragment ? `#${fragment}` : ''}`;
}

/**
 * Returns the path of the page to open after the sign-in. Scripts send the path as `returnTo` in the body. A form
 * without scripts cannot send the path, because the sign-in page is static. In that case, the path comes from the query
 * of the Referer URL.
 */
export function wantedPage(request: Request, body: unknown): string {
  const named: unknown = typeof body === 'object' && body !== null && 'returnTo' in body ? body.returnTo : undefined;
  if (named !== undefined) return returnPath(named);
  const referrer = request.headers.get('referer') ?? '';
  return returnPath(URL.canParse(referrer) ? new URL(referrer).searchParams.get('returnTo') : null);
}
