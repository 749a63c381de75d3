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
 * Parses HTML into a document of its own, where no script runs, no style applies and nothing is loaded. The admin's policy
 * (`require-trusted-types-for`, layouts/AdminLayout.astro) lets nothing else turn text into elements. The result must
 * never be put into the page as it is: the editor's schema or `cleanPasted` takes what it knows out of it.
 */
export function parseInert(html: string): Document {
  const { trustedTypes } = window as { trustedTypes?: Factory };
  policy ??= trustedTypes?.createPolicy('inert-document', { createHTML: parseable });
  return new DOMParser().parseFromString((policy?.createHTML(html) ?? parseable(html)) as string, 'text/html');
}

/** HTML as the editor takes it. Given a text, the editor would parse it without a policy. */
export function contentOf(html: string): JSONContent {
  schema ??= getSchema(extensions);
  return SchemaParser.fromSchema(schema).parse(parseInert(html).body).toJSON() as JSONContent;
}
