import type { ArticleFrontmatter } from '../../domain/article.ts';
import { site } from '../../site.config.ts';

/** Returns the author's name as the article shows it. */
export function signatureOf({ author }: Pick<ArticleFrontmatter, 'author'>): string {
  const { president } = site;
  return author === 'firm' ? site.name : [president.name, president.title].filter(Boolean).join(', ');
}

type Action = ArticleFrontmatter['callToAction']['actions'][number];

/**
 * Returns an action of the closing section as a link. 'booking' means the site's booking URL. If that URL is not
 * set, the link leads to the contact page and asks for a demo, because visitors cannot book there.
 */
export function linkOfAction({ label, href }: Action): Action {
  if (href !== 'booking') return { label, href };
  return site.bookingUrl === null
    ? { label: 'Ask for a free demo', href: '/contact' }
    : { label, href: site.bookingUrl };
}
