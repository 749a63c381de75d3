import { defineMiddleware } from 'astro:middleware';
import { securityHeaders } from './domain/security-headers.ts';

/** Pages rendered on request get the headers that `netlify.toml` gives to files. */
export const onRequest = defineMiddleware(async ({ isPrerendered }, next) => {
  const response = await next();
  if (isPrerendered) return response;
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  return response;
});
