import { type Editor, type JSONContent, getSchema } from '@tiptap/core';
import { DOMParser as SchemaParser } from '@tiptap/pm/model';
import { extensions } from './extensions.ts';
import { isAllowedLink } from './links.ts';

interface Policy {
  createHTML(html: string): unknown;
}

let policy: Policy | undefined;
let parser: SchemaParser | undefined;
const schemaParser = () => (parser ??= SchemaParser.fromSchema(getSchema(extensions)));

/**
 * Removes scripts, style sheets and inline styles from HTML. The content security policy forbids them, and the browser
 * applies the policy even to HTML that is parsed but never shown. Renames the `style` attribute to `data-style`, so
 * `cleanPasted` can recognize text that other programs mark as bold with styles.
 */
export function parseable(html: string): string {
  const plain = html.replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, '');
  return plain.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'/])style(\s*=)/gi, '$1data-style$2'));
}

/**
 * Parses HTML into a separate document, in which no script runs, no style applies and nothing is loaded. The admin's
 * content security policy (`require-trusted-types-for`, layouts/AdminLayout.astro) blocks every other way to turn a
 * string into elements. The result must never be inserted into the page directly: filter it with the editor's schema or
 * with `cleanPasted`.
 */
export function parseInert(html: string): Document {
  const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } };
  policy ??= trustedTypes?.createPolicy('inert-document', { createHTML: parseable });
  return new DOMParser().parseFromString((policy?.createHTML(html) ?? parseable(html)) as string, 'text/html');
}

/**
 * Converts HTML to the editor's JSON. The browser blocks the editor's own HTML parser, which has no Trusted Types
 * policy.
 */
export function contentOf(html: string): JSONContent {
  return schemaParser().parse(parseInert(html).body).toJSON() as JSONContent;
}

/** Returns the text as HTML, without the empty paragraphs that the editor adds at the end. */
export function htmlOf(editor: Editor): string {
  let html = editor.getHTML();
  while (html.endsWith('<p></p>')) html = html.slice(0, -'<p></p>'.length);
  return html;
}

/** Returns the names of the elements that the editor would remove from a text, because its schema has no rule for them. */
export function unsupportedIn(html: string): string[] {
  const known = schemaParser().rules.flatMap((rule) => ('tag' in rule && rule.tag ? rule.tag : []));
  const supported = [...known, 'figcaption', 'div', 'thead', 'tbody', 'colgroup', 'col'].join();
  // The editor keeps no format in code and in captions, and no other content in a figure than a picture and its caption.
  const lost = 'code *, pre :not(code), figcaption *, figure > :not(img, figcaption), figure img ~ img';
  const elements = [...parseInert(html).body.querySelectorAll('*')].filter(
    (element) =>
      !element.matches(supported) ||
      element.matches(lost) ||
      (element.localName === 'a' && !isAllowedLink(element.getAttribute('href') ?? '')),
  );
  return [...new Set(elements.map(({ localName }) => localName))];
}
