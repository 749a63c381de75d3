import { type CollectionEntry, getCollection } from 'astro:content';
import { inWords } from '../domain/text/text.ts';
import { withFirmDetails } from '../site.config.ts';

export type Service = CollectionEntry<'services'>['data'] & {
  id: string;
  href: string;
};

/**
 * Maximum number of tabs in the services explorer of the home page. service-tabs.css can highlight only this many tabs
 * before the explorer's script runs.
 */
const mostAtHome = 5;

/**
 * Returns every service, in display order.
 * @throws if a service belongs to one without a tab, or if too many services have a tab. The message names the file.
 */
export async function services(): Promise<Service[]> {
  const all = (await getCollection('services'))
    .map(({ id, data }) => ({ id, href: `/services/${id}`, ...filled(data) }))
    .toSorted((one, other) => one.order - other.order);
  const tabs = all.filter(({ home }) => home).map(({ id }) => id);
  if (tabs.length > mostAtHome) {
    const last = tabs[mostAtHome]!;
    throw new Error(`content/services/${last}.json, home: Write false. The home page has ${mostAtHome} tabs.`);
  }
  for (const { id, partOf } of all) {
    if (!partOf || tabs.includes(partOf.service)) continue;
    const text = `“${partOf.service}” is no service with a tab. Choose one of: ${tabs.join(', ')}.`;
    throw new Error(`content/services/${id}.json, partOf.service: ${text}`);
  }
  return all;
}

/** Returns a copy of the data in which texts contain the firm's details instead of placeholders such as `{city}`. */
function filled<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? withFirmDetails(value) : value,
  ) as T;
}

/**
 * Returns the services that have a tab in the services explorer of the home page. `parts` are the smaller services
 * (`partOf`) that have a card on that tab.
 */
export async function explorerServices(): Promise<(Service & { parts: Service[] })[]> {
  const all = await services();
  return all
    .filter(({ home }) => home)
    .map((service) => ({ ...service, parts: all.filter(({ partOf }) => partOf?.service === service.id) }));
}

/** Returns the number of services as a word, for sentences. */
export async function serviceCount(): Promise<string> {
  return inWords((await services()).length);
}

/**
 * Returns the service with this id, for a page that depends on it.
 * @throws if there is no such service.
 */
export async function service(id: string): Promise<Service> {
  const found = (await services()).find((candidate) => candidate.id === id);
  if (!found) throw new Error(`A page needs content/services/${id}.json. Add the file, or remove the page.`);
  return found;
}
