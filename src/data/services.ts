import { type CollectionEntry, getCollection } from 'astro:content';
import { withFirmDetails } from '../site.config.ts';

export type Service = CollectionEntry<'services'>['data'] & {
  id: string;
  href: string;
  /** The path of its text as Markdown. */
  markdownPath: string;
};

/** Every service, in the order in which they are shown. */
export async function services(): Promise<Service[]> {
  const entries = await getCollection('services');
  return entries
    .map(({ id, data }) => ({ id, href: `/services/${id}`, markdownPath: `/services/${id}.md`, ...filled(data) }))
    .toSorted((one, other) => one.order - other.order);
}

/** The same with the firm's details in its texts. */
function filled<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? withFirmDetails(value) : value,
  ) as T;
}

/** The services that have a tab of their own in the services explorer (spec §2, Home). */
export async function explorerServices(): Promise<Service[]> {
  return (await services()).filter(({ partOf }) => partOf === undefined);
}

/** A service that the site is known to have. */
export async function service(id: string): Promise<Service> {
  const found = (await services()).find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no content/services/${id}.json.`);
  return found;
}
