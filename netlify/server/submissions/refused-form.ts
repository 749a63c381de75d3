import { escapeAttribute, escapeHtml } from '../../../src/domain/text/text.ts';
import type { Call } from '../http/endpoint.ts';
import { wantsPage } from '../http/respond.ts';
import { sitePage } from '../platform.ts';

type RefusedForm = Pick<Call, 'request' | 'fromForm' | 'body'>;

/**
 * Creates a route's `invalid` handler for a form that was sent without JavaScript. The handler answers with the page of
 * the form, which contains the visitor's entries and the errors. Nothing is stored.
 * @param path the path of the page.
 * @param chooseAgain the error of a file field that has no other error, by the name of the field. A page cannot fill in
 * a file.
 * @returns a handler that returns null for a request by a script, and if the page cannot be read. The plain error page
 *   then names the error, and the browser still has the text.
 */
export function showFormAgain(path: string, chooseAgain: Readonly<Record<string, string>> = {}) {
  return async ({ request, fromForm, body }: RefusedForm, errors: Record<string, string>): Promise<Response | null> => {
    if (!fromForm || !wantsPage(request)) return null;
    const page = await sitePage(path, request);
    if (!page) return null;
    const html = await page.text();
    const values = body as Readonly<Record<string, string>>;
    const form = html.replace(/<form class="post-form.*?<\/form>/s, (empty) =>
      filledForm(empty, values, { ...chooseAgain, ...errors }),
    );
    return new Response(form.replace('<title>', '<title>Not sent: '), {
      status: 400,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': page.headers.get('content-security-policy') ?? '',
        'cache-control': 'private, no-store',
      },
    });
  };
}

/** Adds values and errors to the HTML of a form (`Field.astro`, `ResumeField.astro` and `Form.astro`). */
function filledForm(
  form: string,
  values: Readonly<Record<string, string>>,
  errors: Readonly<Record<string, string>>,
): string {
  const links: string[] = [];
  const parts = form.split(/(?=<div class="field[ "])/).map((part) => {
    const [, name = ''] = / data-error-for="(\w+)"/.exec(part) ?? [];
    const [, id = '', label = ''] = /<label for="([\w-]+)">([^<]*)</.exec(part) ?? [];
    const value = escapeAttribute(values[name] ?? '');
    const error = errors[name];
    if (error) links.push(`<li><a href="#${id}">${label}</a></li>`);
    return part
      .replace(/<(input|textarea|select)([^>]*)>/, (_, kind: string, attributes: string) => {
        const control = `<${kind}${attributes}${error ? ' aria-invalid="true"' : ''}`;
        // A browser drops the first line break of a text area.
        if (kind === 'textarea') return `${control}>\n${value}`;
        return kind === 'input' && value ? `${control} value="${value}">` : `${control}>`;
      })
      .replace(`<option value="${value}">`, (option) => option.replace('>', ' selected>'))
      .replace(/( data-error-for="\w+") hidden>/, (hidden, start: string) =>
        error ? `${start}>${escapeHtml(error)}` : hidden,
      );
  });
  const count = links.length === 1 ? 'one field' : `${links.length} fields`;
  // The browser scrolls to the summary, because the summary has the focus.
  return parts
    .join('')
    .replace(
      / data-error-summary tabindex="-1" hidden>/,
      () =>
        ` data-error-summary tabindex="-1" autofocus><p>Nothing has been sent yet. Please check ${count}:</p><ul>${links.join('')}</ul>`,
    );
}
