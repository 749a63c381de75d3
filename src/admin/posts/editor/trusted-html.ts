import { getSchema, type JSONContent } from '@tiptap/core';
import { DOMParser as SchemaParser, type Schema } from '@tiptap/pm/model';
import { extensions } from './extensions.ts';
import { parseable } from './html-text.ts';

interface Policy {
  createHTML(html: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy;
}

let policy: Policy | undefined;
let schema: Schema | undefined;

/**
 * Parses HTML into a separate document, in which no script runs, no style applies and nothing is loaded. The admin's
 * content security policy (`require-trusted-types-for`, layouts/AdminLayout.astro) blocks every other way to turn a
 * string into elements. The result must never be inserted into the page directly: filter it with the editor's schema or
 * with `cleanPasted`.
 */
export function parseInert(html: string): Document {
  const { trustedTypes } = window as { trustedTypes?: Factory };
  policy ??= trustedTypes?.createPolicy('inert-document', { createHTML: parseable });
  return new DOMParser().parseFromString((policy?.createHTML(html) ?? parseable(html)) as string, 'text/html');
}

/**
 * Converts HTML to the editor's JSON. The browser blocks the editor's own HTML parser, which has no Trusted Types
 * policy.
 */
export function contentOf(html: string): JSONContent {
  schema ??= getSchema(extensions);
  return SchemaParser.fromSchema(schema).parse(parseInert(html).body).toJSON() as JSONContent;
}
