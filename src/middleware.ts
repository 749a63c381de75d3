import { defineMiddleware } from 'astro:middleware';
import { reducePage } from './reduce-page.ts';
import { securityHeaders } from './domain/site/security-headers.ts';

/**
 * Adds the security headers to pages rendered on request. Like prerendered pages (host/build/output.ts), each page
 * also gets a style sheet and a Content-Security-Policy with only what the page uses.
 */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  if (!isPrerendered) {
    // Astro also serves a page at its file name, such as /blog.html or /blog/index.html. Redirects to the page's URL.
    const { pathname, search } = new URL(request.url);
    const address = pathname.replace(/(\/index)?\.html$/, '');
    if (address !== pathname) return new Response(null, { status: 301, headers: { location: address + search } });
  }
  const answer = await next();
  if (isPrerendered) return answer;
  for (const [name, value] of Object.entries(securityHeaders)) answer.headers.set(name, value);
  // Feeds set another policy.
  if (!answer.headers.has('Cross-Origin-Resource-Policy')) {
    answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  }
  const policy = answer.headers.get('Content-Security-Policy');
  // A response such as a redirect may have no body.
  if (policy === null || answer.body === null) return answer;
  const page = reducePage(policy, await answer.text());
  answer.headers.set('Content-Security-Policy', page.policy);
  return new Response(page.html, answer);
});
