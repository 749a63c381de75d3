import { type CollectionEntry, getEntry, render } from 'astro:content';

/** The privacy and cookie policy, or the terms of service: its data, its words and its headings. */
export async function legalDocument(id: CollectionEntry<'legal'>['id']) {
  const entry = await getEntry('legal', id);
  if (!entry) throw new Error(`content/legal has no ${id}.mdx.`);
  return { ...entry.data, ...(await render(entry)) };
}
