import { randomUUID } from 'node:crypto';
import { seeOther } from './http/respond.ts';
import { hasSpace, takeBytes } from './quotas.ts';
import type { Services } from './services.ts';
import type { FormDraft } from './stores/form-drafts.ts';

const lifetimeMs = 60 * 60_000;

/**
 * Keeps what a form without scripts sent and was refused for, and leads on to the page that shows it.
 * @param page with the form.
 * @param fields of the form; nothing else that was sent is kept.
 * @returns null where no more drafts can be kept now: the plain refusal says what is wrong, and the browser has the text.
 */
export async function keepFormDraft(
  page: string,
  body: unknown,
  fields: readonly string[],
  errors: FormDraft['errors'],
  { address, services }: { readonly address: string; readonly services: Services },
): Promise<Response | null> {
  const id = randomUUID();
  const sent = body as Record<string, string>;
  const values = Object.fromEntries(fields.flatMap((name) => (name in sent ? [[name, sent[name] ?? '']] : [])));
  const bytes = Buffer.byteLength(JSON.stringify({ values, errors }));
  if (!(await hasSpace(services)) || !(await takeBytes({ id, kind: 'draft', bytes }, address, services))) return null;
  const expiresAt = new Date(services.now().getTime() + lifetimeMs).toISOString();
  await services.stores.formDrafts.create(id, { values, errors }, expiresAt);
  return seeOther(`${page}?draft=${id}`);
}
