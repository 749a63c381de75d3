import { articles } from '../articles.ts';
import { serviceCount, services } from '../services.ts';
import { site } from '../../site.config.ts';

interface SitePage {
  readonly path: string;
  readonly name: string;
  /** One sentence about the content of the page. */
  readonly note: string;
}

interface SitePageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/**
 * Returns every public page, in groups, for the sitemap page (/sitemap) and for AI assistants (/llms.txt). Services
 * and articles come from their own files. A test compares the other pages with the built pages.
 */
export async function sitePages(): Promise<SitePageGroup[]> {
  return [
    {
      title: 'Company',
      pages: [
        { path: '/', name: 'Home', note: 'What we do, who we are, and our experience in numbers.' },
        {
          path: '/contact',
          name: 'Contact',
          note: `Write to our consultants, or call the office in ${site.address.city}.`,
        },
        { path: '/join-team', name: 'Join the Team', note: 'How we work, and how to apply.' },
      ],
    },
    {
      title: 'Services',
      pages: [
        { path: '/services', name: 'All services', note: `Compare our ${await serviceCount()} services.` },
        ...(await services()).map(({ href, title, description }) => ({
          path: href,
          name: title,
          note: description,
        })),
        ...(await services()).flatMap(({ landing }) =>
          landing ? [{ path: landing.href, name: landing.name, note: landing.note }] : [],
        ),
      ],
    },
    {
      title: 'Resources',
      pages: [
        { path: '/resources', name: 'Resources & Insights', note: 'All guides.' },
        ...(await articles()).map(({ href, title, summary }) => ({
          path: href,
          name: title,
          note: summary,
        })),
        { path: '/blog', name: 'Blog & News', note: 'Short posts about NetSuite and our projects.' },
        { path: '/search', name: 'Search', note: 'Search our services, guides and blog posts.' },
      ],
    },
    {
      title: 'Legal',
      pages: [
        { path: '/privacy', name: 'Privacy and Cookie Policy', note: 'What we collect and store, and your rights.' },
        { path: '/terms', name: 'Terms of Service', note: 'The terms for using this website.' },
        { path: '/sitemap', name: 'Sitemap', note: 'The main pages of this site.' },
      ],
    },
  ];
}
