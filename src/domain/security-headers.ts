/**
 * Security headers for responses that are not static files, such as those of functions and of pages rendered on
 * request. The rules in `public/_headers` apply only to static files. A test checks that this object and
 * `public/_headers` contain the same headers.
 */
export const securityHeaders = {
  'Strict-Transport-Security': 'max-age=63072000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;
