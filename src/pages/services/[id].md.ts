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

/** Serves a service as Markdown for AI assistants, with the content of its page in the same order. */
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
        [strong('Sounds like:'), ` “${situation}”`],
        [strong('Timeline:'), ` ${overall}`],
        [strong('You get:'), ` ${holds}`],
        [strong('Not a fit:'), ` ${notFor}`],
      ]),
      ...withoutMdx(service.intro),
      ...service.detailedDescription.flatMap((text) => withoutMdx(text)),
      paragraph(link(guide.href, guide.label)),
      paragraph(emphasis(`Figure: ${pictures[2]}`)),
      paragraph(emphasis(service.caption)),
      heading(2, `Key Benefits of ${title}`),
      // Benefits without a heading come first, so they are not listed under another benefit's heading.
      list(service.benefits.flatMap((benefit) => (typeof benefit === 'string' ? [[benefit]] : []))),
      ...service.benefits.flatMap((benefit) =>
        typeof benefit === 'string' ? [] : [heading(3, benefit.title), paragraph(benefit.description)],
      ),
      ...(platforms ? [...platformsText(platforms), contact('Contact Us Today')] : []),
      heading(2, 'How it works'),
      ...service.process.flatMap((step) => [
        heading(3, step.title),
        paragraph(`${step.description} (${step.duration})`),
      ]),
      paragraph('In all ', strong(overall)),
      heading(2, 'Common questions'),
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
    heading(3, 'E-commerce platforms'),
    named(commerce),
    heading(3, 'Integration platforms'),
    named(integration),
    paragraph(
      'Product names belong to their owners. We list them because we work with them; no endorsement is implied.',
    ),
  ];
}
