import { createHash } from 'node:crypto';
import { logoUrl } from '../../../src/domain/logo.ts';
import { site } from '../../../src/site.config.ts';

/* The colors and the family of src/styles/tokens.css, which code outside the build cannot import. A test compares them. */
const style = `:root{color-scheme:light dark}
body{margin:0;background:light-dark(#f5f1e6,#0f1713);color:light-dark(#13201a,#f2f3e9);font:1.0625rem/1.6 Arial,sans-serif}
header{padding:.5rem 1.5rem;border-bottom:1px solid light-dark(#d3d4c3,#2c3a31);background:light-dark(#fcfaf4,#18221c)}
img{display:block;width:auto;height:2.75rem}
main{box-sizing:border-box;max-width:42rem;margin:clamp(1.5rem,8vw,5rem) auto;padding:clamp(1.25rem,4vw,2.5rem);border-top:4px double light-dark(#6f7d71,#75867a);background:light-dark(#fcfaf4,#18221c);overflow-wrap:anywhere}
h1{margin:0;font:450 clamp(2rem,1.7rem + 1.5vw,3.125rem)/1.1 Georgia,serif}
p{margin:1.25rem 0 0}
a{display:inline-block;padding-block:.6rem;color:light-dark(#0b4f36,#8ed0a6)}
small{color:light-dark(#38463e,#bac5b8)}`;

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
 * Returns the page that a person reads when a form that the browser sent without scripts was refused, or a page was.
 * @param sentForm whether the browser's Back button leads to the form.
 */
export function refusalPage(message: string, requestId: string, sentForm: boolean): string {
  const title = sentForm ? 'Your form was not sent' : 'This page is not available right now';
  const back = sentForm
    ? "<p>Use your browser's Back button to return to the form. What you entered is still there.</p>\n"
    : '';
  return `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header><img src="${logoUrl}" width="200" height="60" alt="${escapeHtml(site.name)}"></header>
<main><h1>${title}</h1><p>${escapeHtml(message)}</p>
${back}<p><a href="/">Return to Home</a></p>
<p><small>Reference for support: ${escapeHtml(requestId)}</small></p></main></body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
