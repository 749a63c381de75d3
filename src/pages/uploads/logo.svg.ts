import type { APIRoute } from 'astro';
import { outlineOf, widthOf } from '../../components/drawings/lettering.ts';
import { site } from '../../site.config.ts';

const widest = 200;
const baseline = 37;

/**
 * Serves the default logo, 200x60: the firm's name above a double line. `/uploads/logo` serves this logo until an admin
 * uploads another.
 */
export const GET: APIRoute = () => {
  const size = Math.min(34, widest / widthOf(site.name, 'display', 1));
  const name = outlineOf(site.name, 'display', size, { x: 0, y: baseline });
  const width = Math.round(widthOf(site.name, 'display', size));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60"><style>path{fill:#13201a}@media(prefers-color-scheme:dark){path{fill:#f2f3e9}}</style><path d="${name}M0 47h${width}v1.5H0zM0 51h${width}v1.5H0z"/></svg>`;
  return new Response(svg, { headers: { 'content-type': 'image/svg+xml' } });
};
