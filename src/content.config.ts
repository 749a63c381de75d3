import { defineCollection } from 'astro:content';
import { file, glob } from 'astro/loaders';
import { z } from 'astro/zod';

/** What we sell: one file a service; its name is the service's id and last path segment. */
const services = defineCollection({
  loader: glob({ base: 'content/services', pattern: '*.json' }),
  schema: z.object({
    /** Place among the tabs of the services explorer. */
    order: z.number().int().positive(),
    /** Where a client stands who needs it, in two words. */
    stage: z.string(),
    title: z.string(),
    description: z.string(),
    features: z.array(z.string()).length(3),
  }),
});

/** The cards that lead to the articles (spec §2, 'Resources page'). */
const articles = defineCollection({
  loader: file('content/articles.json'),
  schema: z.object({
    href: z.string().startsWith('/'),
    category: z.string(),
    /** As printed: some articles are dated by the month only. */
    date: z.string(),
    title: z.string(),
    description: z.string(),
  }),
});

export const collections = { services, articles };
