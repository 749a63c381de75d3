import { type CollectionEntry, getEntry, render } from 'astro:content';
import { inWords } from '../domain/text/text.ts';
import { phoneHref, site } from '../site.config.ts';

const { street, city, region, regionName, postalCode } = site.address;

/** Firm details for the policies. The files in content/legal insert them as `{props.name}`. */
const firm = {
  legalName: site.legalName,
  email: site.email,
  phone: site.phone,
  phoneHref: phoneHref(site.phone),
  state: regionName,
  address: `${street}, ${city}, ${region} ${postalCode}`,
  applicationsKept: `${inWords(site.applicationsKeptYears)} years`,
  ...(site.analyticsId
    ? {
        analyticsCookies:
          'These cookies tell us which pages people read. They also connect your visits with an inquiry or an application that you sent. We set them only after you choose “Accept All Cookies.” The only service that uses them is HubSpot. Until you accept, we send nothing to HubSpot and do not load its script.',
        analyticsData:
          ' With your consent, we also collect the pages that you visit, how you found us and your approximate location.',
        hubspot:
          'HubSpot is our contact database. After you accept the HubSpot cookies in the table above, we also send HubSpot the fields of each form that you send us. For an inquiry, that includes your message; for an application, your phone number, position, experience and cover letter. We never send your resume.',
      }
    : {
        analyticsCookies:
          'We set no analytics cookies today. Such cookies would tell us which pages people read. If we ever set them, we will ask for your consent first.',
        analyticsData: '',
        hubspot: 'We do not send what you enter in our forms to an outside contact database (CRM).',
      }),
};

/**
 * Returns the privacy and cookie policy or the terms of service: the frontmatter, the MDX source, and the component and
 * headings made from the source.
 */
export async function legalDocument(id: CollectionEntry<'legal'>['id']) {
  const entry = await getEntry('legal', id);
  if (!entry) throw new Error(`content/legal has no ${id}.mdx.`);
  return { ...entry.data, firm, body: entry.body, ...(await render(entry)) };
}
