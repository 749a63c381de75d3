import type { APIRoute, GetStaticPaths } from 'astro';
import { heading, link, list, markdownTwin, paragraph, withoutMdx } from '../../components/markdown-twin.ts';
import { type Article, articles } from '../../data/articles.ts';
import { writtenDay } from '../../lib/dates.ts';
import { linkOfAction, signatureOf } from '../../sections/article/words.ts';

export const getStaticPaths = (async () =>
  (await articles()).map((article) => ({
    params: { slug: article.slug },
    props: { article },
  }))) satisfies GetStaticPaths;

/** An article as Markdown, for assistants. */
export const GET: APIRoute<{ article: Article }> = ({ props: { article }, site }) => {
  const { title, description, lead, takeaways, callToAction, publishedAt, updatedAt, dateText } = article;
  const dates = [
    `Published ${dateText ?? writtenDay(publishedAt)}`,
    ...(updatedAt ? [`updated ${writtenDay(updatedAt)}`] : []),
  ];
  return markdownTwin({
    title,
    description,
    address: new URL(article.href, site),
    body: [
      paragraph(`${dates.join(', ')}, by ${signatureOf(article)}`),
      paragraph(lead),
      heading(2, 'In short'),
      list(takeaways.map((point) => [point])),
      ...withoutMdx(article.entry.body ?? ''),
      heading(2, callToAction.title),
      paragraph(callToAction.text),
      list(callToAction.actions.map(linkOfAction).map(({ label, href }) => [link(href, label)])),
    ],
  });
};
