import { render } from 'astro:content';
import { postText, postPath, listedState } from '../domain/post-text.ts';
import { type SearchEntry, searchPath, sectionsOf, withinRoom } from '../domain/search.ts';
import { sectionText } from '../domain/text.ts';
import { type Article, articles } from './articles.ts';
import { legalDocument } from './legal.ts';
import { newestPostsAtBuild } from './posts.ts';
import { type Service, services } from './services.ts';
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
  // Removes inline tags first, because `sectionText` replaces each tag with a space, even between a link and a comma.
  const withoutInlineTags = text.join(' ').replace(/<\/?(?:a|em|strong)\b[^<>]*>/g, '');
  return { kind: 'Service', href, title, text: sectionText(withoutInlineTags) };
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
  const { headings } = await render(entry);
  const page: SearchEntry = { kind: 'Article', href, title, text: [summary, ...takeaways].join(' ') };
  return withSections(page, sectionsOf(entry.body ?? ''), headings);
}

async function policyEntries(id: 'privacy' | 'terms'): Promise<SearchEntry[]> {
  const { title, description, body = '', firm, headings } = await legalDocument(id);
  return withSections({ kind: 'Page', href: `/${id}`, title, text: description }, sectionsOf(body, firm), headings);
}

/**
 * Returns an entry for a page and one for each of its sections.
 * @param words the result of `sectionsOf`: the text before the first heading, then the text of each section. If the
 *   number of sections is not the number of headings, the whole text becomes one entry.
 */
function withSections(
  page: SearchEntry,
  [opening = '', ...sections]: readonly string[],
  headings: readonly { depth: number; slug: string; text: string }[],
): SearchEntry[] {
  const named = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (named.length !== sections.length) return [{ ...page, text: [page.text, opening, ...sections].join(' ').trim() }];
  return [
    { ...page, text: `${page.text} ${opening}`.trim() },
    ...named.map(({ slug, text }, index) => ({
      kind: page.kind,
      href: `${page.href}#${slug}`,
      title: text,
      of: page.title,
      text: sections[index] ?? '',
    })),
  ];
}

async function postEntries(): Promise<SearchEntry[]> {
  return (await newestPostsAtBuild()).map((post) => ({
    kind: 'Post',
    href: postPath(post.slug),
    title: post.title,
    text: `${post.excerpt ?? ''} ${postText(post.content ?? '')}`.trim(),
    state: listedState(post),
  }));
}
