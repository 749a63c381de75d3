import { defineMiddleware } from 'astro:middleware';
import { ownPolicy } from '../netlify/server/http/page-policy.ts';
import { securityHeaders } from './domain/security-headers.ts';

/**
 * Pages rendered on request get the headers that `netlify.toml` gives to files, and like them (host/netlify-output.ts) a
 * policy of their own.
 */
export const onRequest = defineMiddleware(async ({ isPrerendered, request }, next) => {
  if (!isPrerendered) {
    // Astro also renders a page under the name that its file would have. The page has one address.
    const { pathname, search } = new URL(request.url);
    const address = pathname.replace(/(\/index)?\.html$/, '');
    if (address !== pathname) return new Response(null, { status: 301, headers: { location: address + search } });
  }
  const answer = await next();
  if (isPrerendered) return answer;
  for (const [name, value] of Object.entries(securityHeaders)) answer.headers.set(name, value);
  const policy = answer.headers.get('Content-Security-Policy');
  // Some answers may have no body, not even an empty one.
  if (policy === null || answer.body === null) return answer;
  const html = await answer.text();
  answer.headers.set('Content-Security-Policy', ownPolicy(policy, html));
  return new Response(html, answer);
});
