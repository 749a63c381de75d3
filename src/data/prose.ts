import { getContainerRenderer } from '@astrojs/mdx/container-renderer';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { loadRenderers } from 'astro:container';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';

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
