import type { APIRoute } from 'astro';
import { site } from '../site.config.ts';
import { color } from '../styles/color.ts';

export const GET: APIRoute = () =>
  new Response(
    JSON.stringify({
      name: site.name,
      description: site.tagline,
      lang: 'en-US',
      start_url: '/',
      display: 'browser',
      background_color: color('paper'),
      theme_color: color('accent'),
      icons: [
        { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
        { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
        { src: '/favicon.png', type: 'image/png', sizes: '512x512' },
        { src: '/icon-maskable.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json' } },
  );
