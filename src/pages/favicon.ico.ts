import type { APIRoute } from 'astro';
import sharp from 'sharp';
import mark from '../components/drawings/mark.svg?raw';

const size = 32;
/** One directory and one entry, as the format has them. */
const headerBytes = 6 + 16;

/** For what asks for no other icon: one picture of 32 pixels in the wrapper that Windows made. */
export const GET: APIRoute = async () => {
  const png = await sharp(Buffer.from(mark), { density: 72 * 4 })
    .resize(size)
    .png()
    .toBuffer();
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // of one picture
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(headerBytes, 18);
  return new Response(new Uint8Array(Buffer.concat([header, png])), { headers: { 'content-type': 'image/x-icon' } });
};
