import * as z from 'zod/mini';

/** Text that may hold emphasis and links, and nothing else of HTML (spec §2: the intro 'may hold HTML'). */
const richText = z
  .string()
  .check(
    z.refine(
      (text) => !/[<>]/.test(text.replace(/<\/?(?:strong|em)>|<a href="[/#h][^"<>]*">|<\/a>/g, '')),
      'Of HTML, only <strong>, <em> and <a href="…"> may stand here.',
    ),
  );

/** A step without a duration of its own shows this one (spec §9). */
const defaultDuration = '2-4 weeks';

const processStep = z.object({
  title: z.string(),
  description: z.string(),
  duration: z._default(z.string(), defaultDuration),
});

export type ProcessStep = z.infer<typeof processStep>;

const platform = z.object({ name: z.string(), text: z.string() });

/** What we sell: `content/services/{id}.json` (spec §3, 'Service offering' and 'service content'). */
export const serviceContent = z.object({
  /** Place among the services. */
  order: z.number(),
  /** The service that it belongs to: it has a page of its own, and no tab in the services explorer. */
  partOf: z.optional(z.string()),
  /** Where a client stands who needs it, in two words. */
  stage: z.string(),
  title: z.string(),
  description: z.string(),
  features: z.tuple([z.string(), z.string(), z.string()]),
  /** What somebody says who needs it. */
  situation: z.string(),
  /** For search engines. */
  summary: z.string().check(z.maxLength(160)),
  keywords: z.array(z.string()),
  /** The kind of service, for structured data. */
  kind: z.string(),
  intro: richText,
  /** Paragraphs. */
  detailedDescription: z.array(z.string()),
  benefits: z.array(z.union([z.string(), z.object({ title: z.string(), description: z.string() })])),
  process: z.array(processStep).check(z.minLength(2)),
  /** The durations of the steps taken together. */
  overall: z.string(),
  /** What the client has at the end. */
  holds: z.string(),
  /** When it is the wrong service. */
  notFor: z.string(),
  /** What the three pictures show: on a card or tab, beside the intro, and the featured one. */
  pictures: z.tuple([z.string(), z.string(), z.string()]),
  /** Under the featured picture. */
  caption: z.string(),
  /** The longer page about this service, for readers who are about to buy or are in trouble. */
  landing: z.optional(z.object({ href: z.string(), label: z.string() })),
  /** What to read next. */
  guide: z.object({ href: z.string(), label: z.string() }),
  /** E-commerce integrations only. */
  platforms: z.optional(z.object({ commerce: z.array(platform), integration: z.array(platform) })),
  questions: z.array(z.object({ question: z.string(), answer: z.string() })),
});

/** The form of the contact page, with the service that the visitor comes from chosen in it. */
export function contactPathFor(serviceId: string): string {
  return `/contact?service=${serviceId}#contact`;
}
