import { randomUUID } from 'node:crypto';
import type { Fields } from '../../../src/domain/field.ts';
import { seeOther, wantsPage } from '../http/respond.ts';
import { hasSpace, takeBytes } from '../security/quotas.ts';
import type { Services } from '../services.ts';
import type { FormDraft } from '../stores/form-drafts.ts';

const lifetimeMs = 60 * 60_000;

interface RefusedForm {
  readonly request: Request;
  readonly fromForm: boolean;
  readonly body: unknown;
  readonly address: string;
  readonly services: Services;
}

/**
 * Creates a route's `invalid` handler for forms that are submitted without JavaScript. The handler stores the invalid
 * form as a draft and redirects to a page that shows the form again, with the visitor's entries and the errors.
 * @param page the path of the page with the form.
 * @param fields the fields of the form. Other submitted values are not stored.
 * @returns a handler that returns null for a request by a script, and if no more drafts can be stored. The plain error
 *   response then names the errors, and the browser still has the text.
 */
export function reviewOn(page: string, fields: Fields) {
  return async (
    { request, fromForm, body, address, services }: RefusedForm,
    errors: FormDraft['errors'],
  ): Promise<Response | null> => {
    if (!fromForm || !wantsPage(request)) return null;
    const id = randomUUID();
    const sent = body as Readonly<Record<string, string>>;
    const names = Object.keys(fields).filter((name) => name in sent);
    const values = Object.fromEntries(names.map((name) => [name, sent[name] ?? '']));
    const bytes = Buffer.byteLength(JSON.stringify({ values, errors }));
    if (!(await hasSpace(services)) || !(await takeBytes({ id, kind: 'draft', bytes }, address, services))) return null;
    const expiresAt = new Date(services.now().getTime() + lifetimeMs).toISOString();
    await services.stores.formDrafts.create(id, { values, errors }, expiresAt);
    return seeOther(`${page}?draft=${id}`);
  };
}
