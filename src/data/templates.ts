import { type CollectionEntry, getCollection } from 'astro:content';

export type Template = CollectionEntry<'templates'>['data'] & {
  href: string;
  /** Path of the template as a CSV file. */
  csvPath: string;
};

/** Returns every template, in display order. */
export async function templates(): Promise<Template[]> {
  const entries = await getCollection('templates');
  return entries
    .map(({ id, data }) => ({ ...data, href: `/templates/${id}`, csvPath: `/templates/${id}.csv` }))
    .toSorted((one, other) => one.order - other.order);
}

/** Returns one static path for each template. `params.name` is the template's file name without `.json`. */
export async function templatePaths() {
  return (await templates()).map((template) => ({
    params: { name: template.href.replace('/templates/', '') },
    props: { template },
  }));
}
