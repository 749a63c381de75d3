/** Security headers of every response. Functions and pages that are rendered on request set these themselves. */
export const securityHeaders = {
  'Strict-Transport-Security': 'max-age=63072000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** A header rule in Netlify's format (`.netlify/v1/config.json`). In `for`, `*` matches any characters. */
export interface HeaderRule {
  readonly for: string;
  readonly values: Readonly<Record<string, string>>;
}

// Search engines, chats and feed readers show icons and pictures.
const shown = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
// Astro does not render the page that the proxy of a self-hosted server shows while the site is down.
const unavailable = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/**
 * Headers of files, for Netlify and for the self-hosted server. The build adds them to its own rules: the
 * Content-Security-Policy of each page, and the Cache-Control of hashed files. A later rule replaces the same header of
 * an earlier one.
 */
export const fileHeaders: readonly HeaderRule[] = [
  // Prevents other sites from loading pages and scripts as a resource.
  { for: '/*', values: { ...securityHeaders, 'Cross-Origin-Resource-Policy': 'same-origin' } },
  { for: '/favicon.ico', values: { ...shown, 'Content-Type': 'image/x-icon' } },
  { for: '/favicon.svg', values: shown },
  { for: '/*.png', values: shown },
  { for: '/unavailable', values: unavailable },
  { for: '/unavailable.html', values: unavailable },
];
