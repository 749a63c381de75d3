import { articles } from './articles.ts';
import { services } from './services.ts';
import { site } from '../site.config.ts';

interface SitePage {
  readonly path: string;
  /** The path of its text as Markdown, if it has one. */
  readonly markdownPath?: string;
  readonly name: string;
  /** One sentence: what is found there. */
  readonly note: string;
}

interface SitePageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/**
 * Every page that the public may find, in groups, for people (/sitemap) and for assistants (/llms.txt). Services and
 * articles come from their own files; a test holds the rest to what the build makes.
 */
export async function sitePages(): Promise<SitePageGroup[]> {
  return [
    {
      title: 'The firm',
      pages: [
        { path: '/', name: 'Home', note: 'What we do, who we are, and the figures so far.' },
        {
          path: '/contact',
          name: 'Contact',
          note: `Write to our consultants, or call the office in ${site.address.city}.`,
        },
        { path: '/join-team', name: 'Join the Team', note: 'How we work, and the form to apply with.' },
      ],
    },
    {
      title: 'Services',
      pages: [
        { path: '/services', name: 'All services', note: 'The six services, side by side.' },
        ...(await services()).map(({ href, markdownPath, title, description }) => ({
          path: href,
          markdownPath,
          name: title,
          note: description,
        })),
        {
          path: '/project-rescue',
          name: 'When a project goes off track',
          note: 'Warning signs, four steps of recovery, and two projects that came back.',
        },
        {
          path: '/ecommerce-integrations',
          name: 'Connecting stores to NetSuite',
          note: 'Platforms, options and the five steps from store to ledger.',
        },
      ],
    },
    {
      title: 'Resources',
      pages: [
        { path: '/resources', name: 'Resources & Insights', note: 'All guides, newest first.' },
        ...(await articles()).map(({ href, markdownPath, title, summary }) => ({
          path: href,
          markdownPath,
          name: title,
          note: summary,
        })),
        { path: '/blog', name: 'Blog & News', note: 'Shorter notes, as they are written.' },
        { path: '/search', name: 'Search', note: 'Find a service, a section of a guide or a post by its words.' },
      ],
    },
    {
      title: 'Fine print',
      pages: [
        { path: '/privacy', name: 'Privacy and Cookie Policy', note: 'What we collect and store, and your rights.' },
        { path: '/terms', name: 'Terms of Service', note: 'The terms for using this website.' },
        { path: '/sitemap', name: 'Sitemap', note: 'This list.' },
      ],
    },
  ];
}
