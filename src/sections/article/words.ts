import type { ArticleFrontmatter } from '../../domain/article.ts';
import { site } from '../../site.config.ts';

/** Returns the author's name as the article shows it. */
export function signatureOf({ author }: Pick<ArticleFrontmatter, 'author'>): string {
  const { president } = site;
  return author === 'firm' ? site.name : [president.name, president.title].filter(Boolean).join(', ');
}

type Action = ArticleFrontmatter['callToAction']['actions'][number];

/**
 * Returns an action of an article's closing section as a link. `href` 'booking' means the booking URL from
 * src/site.config.ts. If that URL is null, the link leads to the contact page instead. Visitors cannot book on that
 * page, so the link gets another label.
 */
export function linkOfAction({ label, href }: Action): Action {
  if (href !== 'booking') return { label, href };
  return site.bookingUrl === null
    ? { label: 'Ask for a free demo', href: '/contact' }
    : { label, href: site.bookingUrl };
}
