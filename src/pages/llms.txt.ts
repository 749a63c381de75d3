import type { APIRoute } from 'astro';
import { sitePages } from '../data/feeds/site-pages.ts';
import { officeHours, site } from '../site.config.ts';

/** Lists the site's pages for AI assistants (llmstxt.org). */
export const GET: APIRoute = async (context) => {
  const groups = await sitePages();
  const { city, region } = site.address;
  const lines = [
    `# ${site.name}`,
    '',
    `> ${site.tagline} An independent NetSuite consulting firm in ${city}, ${region}, for businesses in the United States.`,
    '',
    `Contact: ${site.email}, ${site.phone}, ${officeHours()}.`,
  ];
  for (const { title, pages } of groups) {
    lines.push('', `## ${title}`, '');
    for (const { path, name, note } of pages) {
      lines.push(`- [${name}](${new URL(path, context.site).href}): ${note}`);
    }
  }
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
};
