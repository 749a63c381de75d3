import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { articleFrontmatter } from './domain/posts/article.ts';
import { promisesMade } from './domain/site/site-details.ts';
import { longestDescription } from './domain/text/text.ts';
import { serviceContent } from './domain/site/service.ts';

/** The services: one file each. The file name is the service's id and the last segment of its URL. */
const services = defineCollection({
  loader: glob({ base: 'content/services', pattern: '*.json' }),
  schema: serviceContent,
});

/** The articles. The file name is the article's id and the last segment of its URL. */
const articles = defineCollection({
  loader: glob({ base: 'content/articles', pattern: '*.mdx' }),
  schema: articleFrontmatter,
});

/** The policies. The file name is the path of the policy's page. */
const legal = defineCollection({
  loader: glob({ base: 'content/legal', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    description: z.string().max(longestDescription),
    keywords: z.array(z.string()),
    updated: z.coerce.date(),
    promises: promisesMade,
  }),
});

export const collections = { services, articles, legal };
