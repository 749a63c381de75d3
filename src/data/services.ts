import { type CollectionEntry, getCollection } from 'astro:content';

export type Service = CollectionEntry<'services'>['data'] & { id: string; href: string };

/** Every service, in the order of the services explorer. */
export async function services(): Promise<Service[]> {
  const entries = await getCollection('services');
  return entries
    .map(({ id, data }) => ({ id, href: `/services/${id}`, ...data }))
    .toSorted((one, other) => one.order - other.order);
}
