import { type CollectionEntry, getEntry, render } from 'astro:content';
import { phoneHref, site } from '../site.config.ts';

const numerals = { 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight', 9: 'nine', 10: 'ten' } as const;
const { street, city, region, regionName, postalCode } = site.address;

/** What the policies say of the firm: `{props.name}` in their files. */
const firm = {
  legalName: site.legalName,
  email: site.email,
  phone: site.phone,
  phoneHref: phoneHref(site.phone),
  state: regionName,
  address: `${street}, ${city}, ${region} ${postalCode}`,
  applicationsKept: `${numerals[site.applicationsKeptYears]} years`,
};

/** The privacy and cookie policy, or the terms of service: its data, its words, as written and to be shown, and its headings. */
export async function legalDocument(id: CollectionEntry<'legal'>['id']) {
  const entry = await getEntry('legal', id);
  if (!entry) throw new Error(`content/legal has no ${id}.mdx.`);
  return { ...entry.data, firm, body: entry.body, ...(await render(entry)) };
}
