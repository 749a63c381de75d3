import { getContainerRenderer } from '@astrojs/mdx/container-renderer';
import { type CollectionEntry, render } from 'astro:content';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { loadRenderers } from 'astro:container';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';
import Prose from '../components/prose/Prose.astro';

let container: Promise<AstroContainer> | undefined;

/**
 * Renders a text for the feed and the search, without the styles, scripts and drawings of its page, and without its
 * classes, which may contain an angle bracket (`[&>p]:mt-2`).
 */
export async function proseHtml(text: AstroComponentFactory, props: Record<string, unknown>): Promise<string> {
  container ??= loadRenderers([getContainerRenderer()]).then((renderers) => AstroContainer.create({ renderers }));
  const html = await (await container).renderToString(text, { props });
  return html
    .replace(/<(style|script|noscript|svg)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[a-z](?:"[^"]*"|[^"<>])*>/gi, (tag) => tag.replace(/ class="(?!aside-title)[^"]*"/, ''));
}

/** Like {@link proseHtml}, for an article. @throws {Error} names the file, which the errors of MDX do not. */
export async function articleHtml(entry: CollectionEntry<'articles'>): Promise<string> {
  try {
    return await proseHtml(Prose, { content: (await render(entry)).Content });
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${entry.filePath}: ${fault}\nFor the characters { and <, write \\{ and \\<.`, { cause });
  }
}
