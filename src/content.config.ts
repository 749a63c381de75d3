import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { articleFrontmatter } from './domain/article.ts';
import { serviceContent } from './domain/service.ts';

/** What we sell: one file a service; its name is the service's id and last path segment. */
const services = defineCollection({
  loader: glob({ base: 'content/services', pattern: '*.json' }),
  schema: serviceContent,
});

/** The articles: one file each; its name is the last segment of its address. */
const articles = defineCollection({
  loader: glob({ base: 'content/articles', pattern: '*.mdx' }),
  schema: articleFrontmatter,
});

/** The policies; a file's name is its address. */
const legal = defineCollection({
  loader: glob({ base: 'content/legal', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    description: z.string().max(160),
    keywords: z.array(z.string()),
    updated: z.coerce.date(),
  }),
});

export const collections = { services, articles, legal };
