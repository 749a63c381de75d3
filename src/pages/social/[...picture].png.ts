import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import type { APIRoute, GetStaticPaths } from 'astro';
import sharp from 'sharp';
import { socialPictureOf } from '../../components/social-picture.ts';
import { type SocialPicture, socialPictures } from '../../data/social-pictures.ts';
import { socialPictureSvg } from './_parts/picture.ts';

export const getStaticPaths = (async () =>
  (await socialPictures()).map((picture) => ({
    params: { picture: socialPictureOf(picture.path)!.replace(/^\/social\/|\.png$/g, '') },
    props: { picture },
  }))) satisfies GetStaticPaths;

type Component = Parameters<AstroContainer['renderToString']>[0];

/** Imported this way because the compiler knows templates only inside of templates. */
const drawings = import.meta.glob<Component>('../../components/drawings/{Article,Service}Drawing.astro', {
  eager: true,
  import: 'default',
});
const drawingNamed = (name: string): Component => drawings[`../../components/drawings/${name}Drawing.astro`]!;

const container = await AstroContainer.create();

/** By what they show: several pages may share one. */
const made = new Map<string, Promise<Buffer>>();

async function draw({ kicker, headline, drawing }: SocialPicture): Promise<Buffer> {
  const html =
    'article' in drawing
      ? await container.renderToString(drawingNamed('Article'), { props: { name: drawing.article, decorative: true } })
      : await container.renderToString(drawingNamed('Service'), { props: { service: drawing.service } });
  const [, box = '', shapes = ''] = /<svg[^>]*viewBox="([^"]+)"[^>]*>([\s\S]*?)<\/svg>/.exec(html) ?? [];
  const svg = socialPictureSvg({ kicker, headline, drawing: { box, shapes } });
  return await kept(svg, () => sharp(Buffer.from(svg)).png({ palette: true, colors: 64 }).toBuffer());
}

/** Drawn once, as long as nothing about it changes: the next build takes it from here. */
const cache = join(process.cwd(), '.cache/social');

async function kept(svg: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = join(cache, `${createHash('sha256').update(svg).digest('hex')}.png`);
  try {
    return await readFile(file);
  } catch {
    const png = await make();
    await mkdir(cache, { recursive: true });
    // Under another name first: a build that is cut off must leave no half of a picture.
    await writeFile(`${file}.part`, png);
    await rename(`${file}.part`, file);
    return png;
  }
}

/** The picture that previews of a page show. */
export const GET: APIRoute<{ picture: SocialPicture }> = async ({ props: { picture } }) => {
  const { path: _, ...shown } = picture;
  const key = JSON.stringify(shown);
  const png = made.get(key) ?? draw(picture);
  made.set(key, png);
  return new Response(new Uint8Array(await png), { headers: { 'content-type': 'image/png' } });
};
