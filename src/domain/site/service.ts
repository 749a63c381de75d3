import * as z from 'zod/mini';
import { promisesMade } from './site-details.ts';
import { longestDescription } from '../text/text.ts';

/**
 * Returns the schema of a required text.
 * @param what completes the error message "Add …", which an editor reads if the build rejects the file.
 */
const text = (what: string) => z.string(`Add ${what}.`).check(z.minLength(1, `Add ${what}.`));
const list = <Item extends z.ZodMiniType>(item: Item, least: number, what: string) =>
  z.array(item, `Add ${what}.`).check(z.minLength(least, `Add ${what}.`));

/** HTML that may contain only emphasis and links. */
const richText = (what: string) =>
  text(what).check(
    z.refine(
      (html) => !/[<>]/.test(html.replace(/<\/?(?:strong|em)>|<a href="[/#h][^"<>]*">|<\/a>/g, '')),
      'Use only the HTML tags <strong>, <em> and <a href="…">.',
    ),
  );

const processStep = z.strictObject({
  title: text('the name of the step'),
  description: text('what happens in the step'),
  duration: z._default(text('how long the step takes'), '2-4 weeks'),
});

export type ProcessStep = z.infer<typeof processStep>;

const platform = z.strictObject({ name: text('the name of the platform'), text: text('what we do with the platform') });

/** The project stages, in order. /services groups the services by stage. */
export const servicePhases = ['plan', 'build', 'run'] as const;

const yesOrNo = z._default(z.boolean('Write true or false, without quotation marks.'), false);
const pictures = 'what the picture shows: on a card or tab, next to the intro, and featured';
const benefit = 'a benefit: a sentence, or a title and a description';

/**
 * A service of the firm: `content/services/{id}.json`. Its drawing is `{id}.svg` in the same folder. CONTRIBUTING.md
 * describes both files. Every error message says what to add, because an editor reads the message when the build
 * rejects the file.
 */
export const serviceContent = z.strictObject(
  {
    promises: promisesMade,
    /** Position among the services, from 1. */
    order: z.number('Add the position of the service in the list of services, as a number.'),
    /** True: the service has a tab in the services explorer of the home page. */
    home: yesOrNo,
    phase: z.enum(servicePhases, `Choose one of: ${servicePhases.join(', ')}.`),
    /** True: the service is for clients in trouble. Links to the service are red. The service is last in its phase. */
    urgent: yesOrNo,
    /**
     * The larger service that includes this service. The tab of the larger service has a card that leads to this
     * service, and the contact form has one option for both.
     */
    partOf: z.optional(
      z.strictObject({
        service: text('the id of the service that this one belongs to'),
        title: text('the title of the card'),
        text: text('the text of the card'),
      }),
    ),
    stage: text('where a client who needs the service is, in two words'),
    title: text('the name of the service'),
    /** Shorter title, for the footer. */
    shortTitle: z.optional(text('the name in the footer, or leave this out')),
    /** The service's option in the contact form. By default, `value` is the file name and `label` is the title. */
    inquiry: z.optional(
      z.strictObject({
        value: z.optional(text('what is stored with an inquiry')),
        label: z.optional(text('the label in the contact form')),
      }),
    ),
    description: text('one or two sentences for cards and lists'),
    features: z.tuple(
      [text('a feature'), text('a feature'), text('a feature')],
      'Add three features, as a list of three short texts.',
    ),
    /** What a client who needs the service would say. */
    situation: text('what a client who needs the service says, in one sentence'),
    /** Meta description. */
    summary: text('one sentence for search engines').check(
      z.maxLength(longestDescription, `Use at most ${longestDescription} characters.`),
    ),
    keywords: list(text('a keyword'), 1, 'a list of keywords for search engines'),
    /** Type of service, for structured data. */
    kind: text('the kind of service in a few words, for search engines'),
    intro: richText('an opening paragraph'),
    /** One text for each paragraph. */
    detailedDescription: list(richText('a paragraph'), 1, 'a list of paragraphs'),
    benefits: list(
      z.union(
        [
          text(benefit),
          z.strictObject({
            title: text('the title of the benefit'),
            description: text('the description of the benefit'),
          }),
        ],
        `Add ${benefit}.`,
      ),
      1,
      'a list of benefits',
    ),
    process: list(processStep, 2, 'a list of at least two steps, each with title, description and duration'),
    /** Duration of all steps together. */
    overall: text('how long the steps take together'),
    holds: text('what the client has at the end'),
    notFor: text('when this is the wrong service'),
    /** Alternative texts of the three images: on cards and tabs, next to the intro, and the featured image. */
    pictures: z.tuple([text(pictures), text(pictures), text(pictures)], `Add a list of three texts: ${pictures}.`),
    /** Caption of the featured image. */
    caption: text('a caption for the featured picture'),
    /** A longer page about the service, if there is one. */
    landing: z.optional(
      z.strictObject({
        href: text('the path of the longer page'),
        label: text('the label of links to the longer page'),
        name: text('the name of the longer page in the sitemap'),
        note: text('what the longer page holds, in one sentence'),
      }),
    ),
    /** Link to the page to read next. */
    guide: z.strictObject(
      { href: text('the path of the page to read next'), label: text('the label of the link') },
      'Add the page to read next: href and label.',
    ),
    /** Platforms, for a service that connects NetSuite to other systems. */
    platforms: z.optional(
      z.strictObject({
        commerce: list(platform, 1, 'a list of e-commerce platforms'),
        integration: list(platform, 1, 'a list of integration platforms'),
      }),
    ),
    questions: list(
      z.strictObject({ question: text('a question'), answer: text('the answer') }),
      1,
      'a list of questions and answers',
    ),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Remove ${issue.keys.join(', ')}, or correct the spelling. No page reads it.`
        : undefined,
  },
);

/** Returns the path of the contact form with a service preselected. */
export function contactPathFor(serviceId: string): string {
  return `/contact?service=${serviceId}#contact`;
}
