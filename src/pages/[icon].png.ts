import type { APIRoute, GetStaticPaths } from 'astro';
import sharp from 'sharp';
import mark from '../components/drawings/mark.svg?raw';

/** Size of each icon in pixels. All icons are generated from one drawing. */
const icons = { favicon: 512, 'icon-192': 192, 'icon-maskable': 512, 'apple-touch-icon': 180 };

export const getStaticPaths = (() =>
  Object.entries(icons).map(([icon, size]) => ({
    params: { icon },
    props: { size, maskable: icon === 'icon-maskable' },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ size: number; maskable: boolean }> = async ({ props: { size, maskable } }) => {
  // An operating system may crop a maskable icon to a circle, so the drawing gets a margin.
  const drawing = maskable
    ? mark.replace('0 0 64 64', '-10 -10 84 84').replace('M0 0h64v64H0z', 'M-10-10h84v84h-84z')
    : mark;
  const png = await sharp(Buffer.from(drawing), { density: (72 * size) / 64 })
    .resize(size)
    .png({ palette: true })
    .toBuffer();
  return new Response(new Uint8Array(png), { headers: { 'content-type': 'image/png' } });
};
