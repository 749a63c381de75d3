import type { ArticleFrontmatter } from '../../domain/article.ts';
import { site } from '../../site.config.ts';

/** Who wrote an article, as it is printed. */
export function signatureOf({ author }: Pick<ArticleFrontmatter, 'author'>): string {
  const { president } = site;
  return author === 'firm' ? site.name : [president.name, president.title].filter(Boolean).join(', ');
}

/** Where an action of the closing call leads: 'booking' is the booking link of the site, or the contact page without one. */
export function addressOfAction(href: string): string {
  return href === 'booking' ? (site.bookingUrl ?? '/contact') : href;
}
