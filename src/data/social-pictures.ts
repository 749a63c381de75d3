import { articles } from './articles.ts';
import { services } from './services.ts';
import { sitePages } from './site-pages.ts';
import type { ArticleFrontmatter } from '../domain/article.ts';

/** What a social picture shows. */
export interface SocialPicture {
  /** Of the page that it stands for. */
  readonly path: string;
  /** Above the headline. */
  readonly kicker: string;
  readonly headline: string;
  readonly drawing: { readonly article: ArticleFrontmatter['drawing'] } | { readonly service: string };
}

/** Drawing a picture takes longer than building a page: beyond these, an article shows that of all resources. */
const newestDrawn = 48;

const drawings: Readonly<Record<string, SocialPicture['drawing']>> = {
  '/contact': { article: 'assistant' },
  '/join-team': { article: 'modules' },
  '/services': { service: 'implementation' },
  '/resources': { article: 'return' },
  '/blog': { article: 'script' },
  '/project-rescue': { service: 'project-rescue' },
  '/ecommerce-integrations': { service: 'ecommerce-integrations' },
};

/** Every page that has a picture of its own; see socialPictureOf in src/components/social-picture.ts. */
export async function socialPictures(): Promise<SocialPicture[]> {
  const fixed = (await sitePages()).flatMap(({ title, pages }) =>
    pages.flatMap(({ path, name }): SocialPicture[] => {
      const drawing = drawings[path];
      return drawing ? [{ path, kicker: title, headline: name, drawing }] : [];
    }),
  );
  const resources = fixed.find(({ path }) => path === '/resources')!;
  return [
    // The page's title, not the headline that an admin edits: a save is public without a build, and only a build draws pictures.
    {
      path: '/',
      kicker: 'Consulting',
      headline: 'NetSuite consulting, implementation and rescue',
      drawing: { article: 'flows' },
    },
    ...fixed,
    ...(await services()).map(({ id, href, title }) => ({
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
