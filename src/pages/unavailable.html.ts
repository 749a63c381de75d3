import type { APIRoute } from 'astro';
import { escapeHtml } from '../domain/text/text.ts';
import { officeHours, phoneHref, site } from '../site.config.ts';

const name = escapeHtml(site.name);

/**
 * The page that the proxy of a self-hosted server shows while the site is down (docs/deploy/nginx.conf). It is one
 * file, because the site then serves no styles, scripts or pictures.
 */
export const GET: APIRoute = () =>
  new Response(
    `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Back in a moment | ${name}</title>
    <style>
      :root { color-scheme: light dark; }
      body { margin: 0 auto; max-width: 36rem; padding: 12vh 1.5rem; font: 1.125rem/1.6 system-ui, sans-serif; }
    </style>
  </head>
  <body>
    <main>
      <h1>We'll be back in a moment</h1>
      <p>The ${name} website is not available right now. Please try again in a few minutes.</p>
      <p>If you just sent a form, press Back and copy your text before you close the page.</p>
      <p>Or contact us: call <a href="${phoneHref(site.phone)}">${site.phone}</a> (${officeHours()}), or email
        <a href="mailto:${site.email}">${site.email}</a>.</p>
    </main>
  </body>
</html>
`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
