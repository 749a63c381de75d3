import { type CollectionEntry, getEntries } from 'astro:content';

export type ArticleCard = CollectionEntry<'articles'>['data'];

/** The four cards of 'Latest Insights', in the specified order of their ids (spec §2, Home). */
export async function latestInsights(): Promise<ArticleCard[]> {
  const entries = await getEntries(['6', '5', '4', '1'].map((id) => ({ collection: 'articles' as const, id })));
  return entries.map(({ data }) => data);
}
