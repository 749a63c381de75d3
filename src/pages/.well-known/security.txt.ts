import type { APIRoute } from 'astro';
import { site as firm } from '../../site.config.ts';

/** Just under a year, the maximum that RFC 9116 recommends. Every build renews the date. */
const validMs = 360 * 24 * 60 * 60_000;

/** Serves the contact details for reporting a security vulnerability (RFC 9116). */
export const GET: APIRoute = ({ site }) => {
  const expires = new Date(Date.now() + validMs);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: mailto:${firm.email}`,
    `Contact: ${new URL('/contact', site).href}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Canonical: ${new URL('/.well-known/security.txt', site).href}`,
    'Preferred-Languages: en',
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
};
