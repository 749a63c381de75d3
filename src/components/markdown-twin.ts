import type { BlockContent, Link, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxToMdast } from 'satteri';
import { site } from '../site.config.ts';
import { transcriptTitle } from './prose/words.ts';

interface Twin {
  title: string;
  /** Summary of the page in one or two sentences. */
  description: string;
  /** URL of the page. Relative links are resolved against this URL. */
  address: URL;
  body: readonly RootContent[];
}

/** Returns a page's text as Markdown (CommonMark with tables) for AI assistants. */
export function markdownTwin({ title, description, address, body }: Twin): Response {
  const children = [
    heading(1, title),
    blockquote(paragraph(description)),
    paragraph('Address: ', link(address.href, address.href)),
    ...body,
  ];
  for (const child of children) resolveLinks(child, address);
  const text = toMarkdown(
    { type: 'root', children },
    { bullet: '-', rule: '-', resourceLink: true, extensions: [gfmToMarkdown()] },
  );
  return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
}

type Element = MdxJsxFlowElement | MdxJsxTextElement;

/** Conversions to plain Markdown by element name: the components of articles (docs/articles.md) and HTML elements. */
const elements: Readonly<Record<string, (element: Element) => RootContent[]>> = {
  Callout: titledQuote,
  WorkedExample: titledQuote,
  Checklist: (element) => [paragraph(strong(attribute(element, 'title'))), ...contentOf(element)],
  KeyActions: (element) => [paragraph(strong('Key actions')), ...contentOf(element)],
  DataTable: (element) => [paragraph(emphasis(attribute(element, 'caption'))), ...contentOf(element)],
  DemoVideo: () => (site.demoVideo ? [paragraph(link(site.demoVideo.watchUrl, site.demoVideo.title))] : []),
  Transcript: (element) => [paragraph(strong(transcriptTitle)), ...contentOf(element)],
  ServiceGrid: contentOf,
  Steps: contentOf,
  strong: (element) => [strong(...phrasingOf(element))],
  em: (element) => [emphasis(...phrasingOf(element))],
  a: (element) => [link(attribute(element, 'href'), ...phrasingOf(element))],
};

/**
 * Converts MDX to plain Markdown nodes.
 * @throws {Error} if the source contains an expression, or a component that has no Markdown form.
 */
export function withoutMdx(source: string): RootContent[] {
  const root = mdxToMdast(source) as Parent;
  keepAsWritten(root, source);
  return contentOf(root);
}

interface Parent {
  children: (RootContent | Element)[];
}

/**
 * Replaces each node that contains only plain Markdown with its source text, because generating the same Markdown from
 * the node would take more time than the rest of the conversion.
 */
function keepAsWritten(parent: Parent, source: string): void {
  parent.children = parent.children.map((node) => {
    const { start, end } = node.position!;
    // A nested block of several lines cannot be copied: the copy would start after the first line's indentation but
    // include the indentation of all other lines.
    const movable = node.type === 'text' || start.column === 1 || start.line === end.line;
    if (movable && isForEveryReader(node)) return { type: 'html', value: source.slice(start.offset, end.offset) };
    if ('children' in node) keepAsWritten(node, source);
    return node;
  });
}

function isForEveryReader(node: RootContent | Element): boolean {
  if (node.type === 'image' || node.type.startsWith('mdx')) return false;
  if ('url' in node && !URL.canParse(node.url)) return false;
  return !('children' in node) || (node as Parent).children.every(isForEveryReader);
}

function contentOf({ children }: { children: unknown[] }): RootContent[] {
  return (children as Parent['children']).flatMap(plain);
}

function plain(node: RootContent | Element): RootContent[] {
  if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
    const form = elements[node.name ?? ''];
    if (!form) throw new Error(`<${node.name}> has no form in Markdown: add it to src/components/markdown-twin.ts.`);
    return form(node);
  }
  if (node.type.startsWith('mdx')) throw new Error(`Code in a text has no form in Markdown: ${JSON.stringify(node)}`);
  // Outputs only the alternative text, because the image's path is a file of the project, which readers cannot open.
  if (node.type === 'image') return [emphasis(`Figure: ${node.alt ?? ''}`)];
  return ['children' in node ? ({ ...node, children: contentOf(node) } as RootContent) : node];
}

function resolveLinks(node: Nodes, address: URL): void {
  if ('url' in node) node.url = new URL(node.url, address).href;
  if ('children' in node) for (const child of node.children) resolveLinks(child, address);
}

function attribute({ attributes }: Element, name: string): string {
  const found = attributes.find((one) => 'name' in one && one.name === name)?.value;
  return typeof found === 'string' ? found : '';
}

function phrasingOf(element: Element): PhrasingContent[] {
  return contentOf(element) as PhrasingContent[];
}

function titledQuote(element: Element): RootContent[] {
  const title = paragraph(strong(attribute(element, 'title')));
  return [blockquote(title, ...(contentOf(element) as BlockContent[]))];
}

type Words = readonly (string | PhrasingContent)[];

const phrasing = (words: Words): PhrasingContent[] =>
  words.map((word) => (typeof word === 'string' ? { type: 'text', value: word } : word));

export function heading(depth: 1 | 2 | 3, text: string): RootContent {
  return { type: 'heading', depth, children: phrasing([text]) };
}

export function paragraph(...words: Words): Paragraph {
  return { type: 'paragraph', children: phrasing(words) };
}

export function strong(...words: Words): PhrasingContent {
  return { type: 'strong', children: phrasing(words) };
}

export function emphasis(...words: Words): PhrasingContent {
  return { type: 'emphasis', children: phrasing(words) };
}

export function link(url: string, ...words: Words): Link {
  return { type: 'link', url, children: phrasing(words) };
}

export function list(items: readonly Words[]): RootContent {
  return {
    type: 'list',
    spread: false,
    children: items.map((words) => ({ type: 'listItem', children: [paragraph(...words)] })),
  };
}

function blockquote(...children: BlockContent[]): RootContent {
  return { type: 'blockquote', children };
}
