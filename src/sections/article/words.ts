import type { ArticleFrontmatter } from '../../domain/article.ts';
import { site } from '../../site.config.ts';

/** Who wrote an article, as it is printed. */
export function signatureOf({ author }: Pick<ArticleFrontmatter, 'author'>): string {
  const { president } = site;
  return author === 'firm' ? site.name : [president.name, president.title].filter(Boolean).join(', ');
}

type Action = ArticleFrontmatter['callToAction']['actions'][number];

/**
 * Returns an action of the closing call as a link. 'booking' is the site's booking link. Without one it leads to the contact
 * page, where nothing can be booked, so the label asks for the demo instead.
 */
export function linkOfAction({ label, href }: Action): Action {
  if (href !== 'booking') return { label, href };
  return site.bookingUrl === null
    ? { label: 'Ask for a free demo', href: '/contact' }
    : { label, href: site.bookingUrl };
}
