import { articles } from './articles.ts';
import { services } from './services.ts';
import { sitePages } from './site-pages.ts';
import type { ArticleFrontmatter } from '../domain/article.ts';

/** The content of a social preview image. */
export interface SocialPicture {
  /** Path of the page. */
  readonly path: string;
  /** Short text above the headline. */
  readonly kicker: string;
  readonly headline: string;
  readonly drawing: { readonly article: ArticleFrontmatter['drawing'] } | { readonly service: string };
}

/**
 * Number of the newest articles that get their own image. Older articles get the same image as /resources, because
 * generating an image takes longer than rendering a page.
 */
const newestDrawn = 48;

/** Drawings for pages that are neither articles nor about a single service. */
const drawings: Readonly<Record<string, SocialPicture['drawing']>> = {
  '/contact': { article: 'assistant' },
  '/join-team': { article: 'modules' },
  '/resources': { article: 'return' },
  '/blog': { article: 'script' },
};

/** Returns the content of each page's preview image; see socialPictureOf in src/components/social-picture.ts. */
export async function socialPictures(): Promise<SocialPicture[]> {
  const offered = await services();
  const landings = offered.flatMap(({ id, landing }) => (landing ? [[landing.href, { service: id }] as const] : []));
  const typical = offered.find(({ phase }) => phase === 'build') ?? offered[0]!;
  const drawingsByPath: typeof drawings = {
    ...drawings,
    ...Object.fromEntries(landings),
    '/services': { service: typical.id },
  };
  const fixed = (await sitePages()).flatMap(({ title, pages }) =>
    pages.flatMap(({ path, name }): SocialPicture[] => {
      const drawing = drawingsByPath[path];
      return drawing ? [{ path, kicker: title, headline: name, drawing }] : [];
    }),
  );
  const resources = fixed.find(({ path }) => path === '/resources')!;
  return [
    // Does not use the headline of the home page, because admins can change that headline without a new build.
    {
      path: '/',
      kicker: 'Consulting',
      headline: 'NetSuite consulting, implementation and rescue',
      drawing: { article: 'flows' },
    },
    ...fixed,
    ...offered.map(({ id, href, title }) => ({
      path: href,
      kicker: 'Services',
      headline: title,
      drawing: { service: id },
    })),
    ...(await articles()).map(({ href, category, title, drawing }, index) =>
      index < newestDrawn
        ? { path: href, kicker: category, headline: title, drawing: { article: drawing } }
        : { ...resources, path: href },
    ),
  ];
}
