import type { APIRoute, GetStaticPaths } from 'astro';
import { heading, link, list, markdownTwin, paragraph, withoutMdx } from '../../components/markdown-twin.ts';
import { type Article, articlePaths } from '../../data/articles.ts';
import { writtenDay } from '../../lib/dates.ts';
import { linkOfAction, signatureOf } from '../../sections/article/words.ts';

export const getStaticPaths = (() => articlePaths()) satisfies GetStaticPaths;

/** Serves an article as Markdown for AI assistants. */
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
      ...withoutMdx(article.body),
      heading(2, callToAction.title),
      paragraph(callToAction.text),
      list(callToAction.actions.map(linkOfAction).map(({ label, href }) => [link(href, label)])),
    ],
  });
};
