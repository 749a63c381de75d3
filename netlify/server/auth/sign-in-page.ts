import { adminHome, returnPath } from '../../../src/domain/session.ts';

/** Where admins sign in by password, also while the OpenID provider is away. */
export const signInPage = '/admin/sign-in';

/** The sign-in page; it is told which page was wanted, and by its fragment why nobody was signed in. */
export function signInAddress(returnTo: string, fragment?: string): string {
  const query = returnTo === adminHome ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return `${signInPage}${query}${fragment ? `#${fragment}` : ''}`;
}

/**
 * The page that somebody who signs in was on the way to. A form that a browser sends by itself cannot say so: the page is
 * the same file for everybody. But the browser names the address that the form stood at.
 */
export function wantedPage(request: Request, body: unknown): string {
  const named: unknown = typeof body === 'object' && body !== null && 'returnTo' in body ? body.returnTo : undefined;
  if (named !== undefined) return returnPath(named);
  const referrer = request.headers.get('referer') ?? '';
  return returnPath(URL.canParse(referrer) ? new URL(referrer).searchParams.get('returnTo') : null);
}
