import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import type { APIRoute, GetStaticPaths } from 'astro';
import sharp from 'sharp';
import ArticleDrawing from '../../components/drawings/ArticleDrawing.astro';
import { type Shapes, serviceShapes, shapesIn } from '../../components/drawings/shapes.ts';
import { socialPictureOf } from '../../components/social-picture.ts';
import { type SocialPicture, socialPictures } from '../../data/social-pictures.ts';
import { socialPictureSvg } from './_parts/picture.ts';

export const getStaticPaths = (async () =>
  (await socialPictures()).map((picture) => ({
    params: { picture: socialPictureOf(picture.path)!.replace(/^\/social\/|\.png$/g, '') },
    props: { picture },
  }))) satisfies GetStaticPaths;

const container = await AstroContainer.create();

/** Generated images, by content, because several pages may share one image. */
const made = new Map<string, Promise<Buffer>>();

async function shapesOf(drawing: SocialPicture['drawing']): Promise<Shapes> {
  if ('service' in drawing) return serviceShapes(drawing.service);
  return shapesIn(
    await container.renderToString(ArticleDrawing, { props: { name: drawing.article, decorative: true } }),
  );
}

async function draw({ drawing, ...texts }: SocialPicture): Promise<Buffer> {
  const svg = socialPictureSvg({ ...texts, drawing: await shapesOf(drawing) });
  return await kept(svg, () => sharp(Buffer.from(svg)).png({ palette: true, colors: 64 }).toBuffer());
}

/** Folder that stores images between builds. The file name is a hash of the image's SVG source. */
const cache = join(process.cwd(), '.cache/social');

async function kept(svg: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = join(cache, `${createHash('sha256').update(svg).digest('hex')}.png`);
  try {
    return await readFile(file);
  } catch {
    const png = await make();
    await mkdir(cache, { recursive: true });
    // Written under a temporary name first, so an interrupted build leaves no incomplete image. Two threads may draw the
    // same image, so the name is random.
    const unfinished = `${file}.${randomUUID()}`;
    await writeFile(unfinished, png);
    await rename(unfinished, file);
    return png;
  }
}

export const GET: APIRoute<{ picture: SocialPicture }> = async ({ props: { picture } }) => {
  const { path: _, ...shown } = picture;
  const key = JSON.stringify(shown);
  const png = made.get(key) ?? draw(picture);
  made.set(key, png);
  return new Response(new Uint8Array(await png), { headers: { 'content-type': 'image/png' } });
};
