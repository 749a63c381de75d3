import type { APIRoute, GetStaticPaths } from 'astro';
import type { RootContent } from 'mdast';
import {
  emphasis,
  heading,
  link,
  list,
  markdownTwin,
  paragraph,
  strong,
  withoutMdx,
} from '../../components/markdown-twin.ts';
import { type Service, services } from '../../data/services.ts';
import { contactPathFor } from '../../domain/service.ts';

export const getStaticPaths = (async () =>
  (await services()).map((service) => ({
    params: { id: service.id },
    props: { service },
  }))) satisfies GetStaticPaths;

/** A service as Markdown, for assistants: what its page says, in the same order. */
export const GET: APIRoute<{ service: Service }> = ({ props: { service }, site }) => {
  const { id, title, description, situation, overall, holds, notFor, pictures, guide, platforms } = service;
  const contact = (label: string) => paragraph(link(contactPathFor(id), label));
  return markdownTwin({
    title,
    description: service.summary,
    address: new URL(service.href, site),
    body: [
      paragraph(description),
      list([
        [strong('You say:'), ` “${situation}”`],
        [strong('It takes:'), ` ${overall}`],
        [strong('You hold:'), ` ${holds}`],
        [strong('Not for:'), ` ${notFor}`],
      ]),
      ...withoutMdx(service.intro),
      ...service.detailedDescription.map((text) => paragraph(text)),
      paragraph(link(guide.href, guide.label)),
      paragraph(emphasis(`Figure: ${pictures[2]}`)),
      paragraph(emphasis(service.caption)),
      heading(2, `Key Benefits of ${title}`),
      // Those without a heading first, so that they belong to none.
      list(service.benefits.flatMap((benefit) => (typeof benefit === 'string' ? [[benefit]] : []))),
      ...service.benefits.flatMap((benefit) =>
        typeof benefit === 'string' ? [] : [heading(3, benefit.title), paragraph(benefit.description)],
      ),
      ...(platforms ? [...platformsText(platforms), contact('Contact Us Today')] : []),
      heading(2, 'How it runs'),
      ...service.process.flatMap((step) => [
        heading(3, step.title),
        paragraph(`${step.description} (${step.duration})`),
      ]),
      paragraph('In all ', strong(overall)),
      heading(2, 'What clients ask first'),
      ...service.questions.flatMap(({ question, answer }) => [paragraph(strong(question)), paragraph(answer)]),
      ...(platforms ? [] : [heading(2, 'Ready to transform your business?'), contact('Get started today')]),
    ],
  });
};

function platformsText({ commerce, integration }: NonNullable<Service['platforms']>): RootContent[] {
  const named = (platforms: typeof commerce) =>
    list(platforms.map(({ name, text }) => [strong(`${name}:`), ` ${text}`]));
  return [
    heading(2, 'Platforms we work with'),
    heading(3, 'Where you sell'),
    named(commerce),
    heading(3, 'What connects it'),
    named(integration),
    paragraph('Names are those of their owners and say what we work with; no endorsement is implied.'),
  ];
}
