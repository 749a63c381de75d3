import type { APIRoute } from 'astro';
import sharp from 'sharp';
import mark from '../components/drawings/mark.svg?raw';

const size = 32;
/** An ICO file begins with a header of 6 bytes and one directory entry of 16 bytes. */
const headerBytes = 6 + 16;

/** Serves a single 32-pixel image in ICO format, for clients that request only favicon.ico. */
export const GET: APIRoute = async () => {
  const png = await sharp(Buffer.from(mark), { density: 72 * 4 })
    .resize(size)
    .png()
    .toBuffer();
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(1, 2); // file type: icon
  header.writeUInt16LE(1, 4); // number of images
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(headerBytes, 18);
  return new Response(new Uint8Array(Buffer.concat([header, png])), { headers: { 'content-type': 'image/x-icon' } });
};
