import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../src/domain/text.ts';
import { logoUrl } from '../../../src/domain/logo.ts';
import { site } from '../../../src/site.config.ts';

/* The colors of src/styles/tokens.css, which code outside the build cannot import. A test compares the two lists. */
const style = `:root{color-scheme:light;--paper:#f5f1e6;--raised:#fcfaf4;--ink:#13201a;--ink-soft:#38463e;--rule:#d3d4c3;--rule-strong:#6f7d71;--accent:#0b4f36}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#0f1713;--raised:#18221c;--ink:#f2f3e9;--ink-soft:#bac5b8;--rule:#2c3a31;--rule-strong:#75867a;--accent:#8ed0a6}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 Arial,sans-serif}
header{padding:.5rem 1.5rem;border-bottom:1px solid var(--rule);background:var(--raised)}
img{display:block;width:auto;height:2.75rem}
main{box-sizing:border-box;max-width:42rem;margin:clamp(1.5rem,8vw,5rem) auto;padding:clamp(1.25rem,4vw,2.5rem);border-top:4px double var(--rule-strong);background:var(--raised);overflow-wrap:anywhere}
h1{margin:0;font:450 clamp(2rem,1.7rem + 1.5vw,3.125rem)/1.1 Georgia,serif}
p{margin:1.25rem 0 0}
a{display:inline-block;padding-block:.6rem;color:var(--accent)}
small{color:var(--ink-soft)}`;

/** The page loads the logo and nothing else. */
export const refusalPagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
].join('; ');

/**
 * Renders the error page for a visitor whose request for a page, or whose form without scripts, was refused.
 * @param form where the form is that the visitor sent; `none` if the request sent no form. The page does not lead back
 * to a form on another website.
 */
export function refusalPage(message: string, requestId: string, form: 'here' | 'elsewhere' | 'none'): string {
  const title = form === 'none' ? 'This page is not available right now' : 'Your form was not sent';
  const back =
    form === 'here'
      ? '<p>Your answers are still in the form. Select Back in your browser to return to the form.</p>\n'
      : '';
  return `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header><img src="${logoUrl}" width="200" height="60" alt="${escapeHtml(site.name).replaceAll('"', '&quot;')}"></header>
<main><h1>${title}</h1><p>${escapeHtml(message)}</p>
${back}<p><a href="/">Return to Home</a></p>
<p><small>Request ID: ${escapeHtml(requestId)}</small></p></main></body>
</html>`;
}
