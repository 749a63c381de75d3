import CookieTable from '../../components/cookies/CookieTable.astro';
import ResetCookies from '../../components/cookies/ResetCookies.astro';
import { postPath } from '../../domain/posts/post-text.ts';
import { type SearchEntry, searchPath, withinRoom } from '../../domain/text/search.ts';
import { textOfHtml } from '../../domain/text/text.ts';
import { type Article, articles } from '../articles.ts';
import { legalDocument } from '../legal.ts';
import { newestPostsAtBuild } from '../posts.ts';
import { articleHtml, proseHtml } from '../prose.ts';
import { type Service, services } from '../services.ts';
import { sitePages } from './site-pages.ts';

/**
 * Returns the entries of the search index, most important first: services, pages, articles and policies with their
 * sections, and posts.
 */
export async function searchEntries(): Promise<SearchEntry[]> {
  const found = [
    ...(await services()).map(serviceEntry),
    ...(await pageEntries()),
    ...(await Promise.all((await articles()).map(articleEntries))).flat(),
    ...(await policyEntries('privacy')),
    ...(await policyEntries('terms')),
    ...(await postEntries()),
  ];
  return withinRoom(found);
}

function serviceEntry(service: Service): SearchEntry {
  const { href, title, description, features, intro, detailedDescription, benefits, process, platforms } = service;
  const text = [
    description,
    intro,
    ...detailedDescription,
    ...features.map((feature) => `${feature}.`),
    ...benefits.map((benefit) =>
      typeof benefit === 'string' ? `${benefit}.` : `${benefit.title}: ${benefit.description}`,
    ),
    ...process.map((step) => `${step.title}: ${step.description}`),
    ...[...(platforms?.commerce ?? []), ...(platforms?.integration ?? [])].map(({ name, text }) => `${name}: ${text}`),
    ...service.questions.map(({ question, answer }) => `${question} ${answer}`),
  ];
  return { kind: 'Service', href, title, text: plain(text.join(' ')) };
}

/** Returns an entry for each page without a content file: the name and the note that the sitemap page shows. */
async function pageEntries(): Promise<SearchEntry[]> {
  const elsewhere = new Set([searchPath, '/privacy', '/terms', ...(await services()).map(({ href }) => href)]);
  const pages = (await sitePages()).flatMap((group) => group.pages);
  return pages
    .filter(({ path }) => !elsewhere.has(path) && !path.startsWith('/resources/'))
    .map(({ path, name, note }) => ({ kind: 'Page', href: path, title: name, text: note }));
}

async function articleEntries({ entry, href, title, summary, takeaways }: Article): Promise<SearchEntry[]> {
  const html = await articleHtml(entry);
  return withSections({ kind: 'Article', href, title, text: [summary, ...takeaways].join(' ') }, html);
}

async function policyEntries(id: 'privacy' | 'terms'): Promise<SearchEntry[]> {
  const { title, description, firm, Content } = await legalDocument(id);
  const html = await proseHtml(Content, { ...firm, components: { CookieTable, ResetCookies } });
  return withSections({ kind: 'Page', href: `/${id}`, title, text: description }, html);
}

/** Returns an entry for a page, and one for each section of its text, which begins with a heading of level 2 or 3. */
function withSections(page: SearchEntry, html: string): SearchEntry[] {
  const [opening = '', ...parts] = html.split(/<h[23] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/);
  const sections = Array.from({ length: parts.length / 3 }, (_, index): SearchEntry => {
    const [slug = '', title = '', text = ''] = parts.slice(3 * index);
    return { kind: page.kind, href: `${page.href}#${slug}`, title: plain(title), of: page.title, text: plain(text) };
  });
  return [{ ...page, text: `${page.text} ${plain(opening)}`.trim() }, ...sections];
}

/** Returns the text of HTML without code blocks, with separators between a title and its text and between cells. */
function plain(html: string): string {
  return textOfHtml(
    html
      .replace(/<pre\b[\s\S]*?<\/pre>/g, '')
      .replace(/(<(?:figcaption|summary|p class="aside-title)\b[^<>]*>[^<>]*)<\/\w+>/g, '$1: ')
      .replace(/([.?!]): /g, '$1 ')
      .replace(/<\/t[dh]>\s*(?=<t[dh]\b)/g, ' · ')
      .replace(/<\/t[dh]>\s*<\/tr>/g, '; '),
  );
}

async function postEntries(): Promise<SearchEntry[]> {
  return (await newestPostsAtBuild()).map((post) => ({
    kind: 'Post',
    href: postPath(post.slug),
    title: post.title,
    text: `${post.excerpt ?? ''} ${textOfHtml(post.content ?? '')}`.trim(),
    updatedAt: post.updatedAt,
  }));
}
