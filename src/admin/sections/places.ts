import type { SectionKey } from '../../domain/section.ts';

/** Where a section stands on the site, and which of its parts are seen there. */
interface SectionPlace {
  /** As the editor names it. */
  readonly label: string;
  readonly where: string;
  /** The address of the place; null where the site does not show the section. */
  readonly href: string | null;
  /** What is written into the title and the content; null where that part is not seen. */
  readonly title: string | null;
  readonly content: string | null;
  /** How the place looks: a heading over its text, or a line of the ledger with a figure. */
  readonly look: 'words' | 'figure';
}

const words = { look: 'words' } as const;
const figure = { look: 'figure', title: 'The figure, such as 100+', content: 'What it counts' } as const;
const top = { where: 'Home, at the top', href: '/' } as const;
const about = { where: 'Home, About', href: '/#about' } as const;
const numbers = { where: 'Home, By The Numbers', href: '/#stats' } as const;
const contact = { where: 'Home and Contact, beside the form', href: '/#contact' } as const;
const nowhere = { where: 'Kept, but not shown on the site', href: null } as const;

export const sectionPlaces: Readonly<Record<SectionKey, SectionPlace>> = {
  hero_title: { ...top, ...words, label: 'Main heading', title: 'The heading', content: null },
  hero_subtitle: {
    ...top,
    ...words,
    label: 'Subtitle',
    title: 'The line under the heading',
    content: 'The sentence after it',
  },
  about_title: { ...about, ...words, label: 'About: heading', title: 'The heading', content: null },
  about_description: {
    ...about,
    ...words,
    label: 'About: description',
    title: 'The line under the heading',
    content: 'The paragraph after it',
  },
  stats_projects: { ...numbers, ...figure, label: 'Successful projects' },
  stats_experience: { ...numbers, ...figure, label: 'Years of experience' },
  stats_clients: { ...nowhere, ...figure, label: 'Happy clients' },
  stats_awards: { ...numbers, ...figure, label: 'Industries' },
  stats_uptime: { ...nowhere, ...figure, label: 'System uptime' },
  cta_title: { ...contact, ...words, label: 'Contact: heading', title: 'The heading', content: null },
  cta_description: {
    ...contact,
    ...words,
    label: 'Contact: description',
    title: 'The line under the heading',
    content: 'The paragraph after it',
  },
};
