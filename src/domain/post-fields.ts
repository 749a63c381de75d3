import type { Field, Fields } from './field.ts';
import { longestSlug } from './slug.ts';

/** The names of the statuses for admins. A draft with a publication time is called scheduled. */
export const postStatusNames = { draft: 'Draft', scheduled: 'Scheduled', published: 'Published' } as const;

/** The fields of the post editor. The limit of `content` is about 45,000 words of HTML. */
export const postFields = {
  title: { label: 'Title', kind: 'line', message: 'Please enter a title.' },
  slug: { label: 'Slug', kind: 'line', max: longestSlug, message: 'Please enter a slug.' },
  content: { label: 'Content', kind: 'lines', max: 300_000, message: 'Please enter the content.' },
  excerpt: { label: 'Excerpt', kind: 'lines', optional: true, max: 500, rows: 4 },
  featuredImage: {
    label: 'Featured picture',
    kind: 'line',
    optional: true,
    max: 2_000,
    message: 'Please enter a web address that starts with https://, or a path on this site, such as /about.',
  },
  status: {
    label: 'Status',
    kind: 'choice',
    options: [
      { value: 'draft', label: postStatusNames.draft },
      { value: 'published', label: postStatusNames.published },
    ],
    message: 'The status must be draft or published.',
  },
  publishAt: {
    label: 'Publish at',
    kind: 'line',
    optional: true,
    message: 'Enter a time in UTC, such as 2026-11-02T17:00:00Z.',
  },
} as const satisfies Fields;

export const captionField = { label: 'Caption', kind: 'line', optional: true, max: 300 } as const satisfies Field;
