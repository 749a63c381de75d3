type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Returns the fields of a form and their error messages.
 *
 * Markup: an error element `[data-error-for="{name}"]` for each field, connected to its field by `aria-describedby`,
 * and one focusable `[data-error-summary]`.
 * @param names field names in the form's order.
 */
export function formFields(form: HTMLFormElement, names: readonly string[]) {
  const summary = form.querySelector<HTMLElement>('[data-error-summary]');
  const wrong = new Set<string>();
  const everWrong = new Set<string>();

  const fieldOf = (name: string) => form.elements.namedItem(name) as Field | null;
  const isFile = (name: string) => fieldOf(name)?.type === 'file';

  function mark(name: string, message: string | undefined): void {
    const field = fieldOf(name);
    const place = form.querySelector<HTMLElement>(`[data-error-for="${name}"]`);
    if (message === undefined) {
      wrong.delete(name);
      field?.removeAttribute('aria-invalid');
    } else {
      wrong.add(name);
      everWrong.add(name);
      field?.setAttribute('aria-invalid', 'true');
    }
    if (place && place.textContent !== (message ?? '')) place.textContent = message ?? '';
    if (place) place.hidden = message === undefined;
  }

  /** Lists links to the invalid fields. The error messages are next to the fields. */
  function summarize(): void {
    if (!summary) return;
    const links = names.flatMap((name) => {
      const field = wrong.has(name) ? fieldOf(name) : null;
      return field ? [linkTo(field)] : [];
    });
    summary.hidden = links.length === 0;
    if (links.length === 0) return summary.replaceChildren();
    const heading = document.createElement('p');
    heading.textContent = links.length === 1 ? 'Please check one field:' : `Please check ${links.length} fields:`;
    const list = document.createElement('ul');
    for (const link of links) {
      const item = document.createElement('li');
      item.append(link);
      list.append(item);
    }
    summary.replaceChildren(heading, list);
  }

  const focusFirstError = (): void => {
    const first = names.find((name) => wrong.has(name));
    if (first !== undefined) fieldOf(first)?.focus();
  };

  return {
    /** Returns the text of each field by name, without files. */
    values: (): Record<string, string> =>
      Object.fromEntries(names.flatMap((name) => (isFile(name) ? [] : [[name, fieldOf(name)?.value ?? '']]))),
    /** Fills only empty fields. */
    fill(values: Readonly<Record<string, string>>): void {
      for (const name of names) {
        const field = fieldOf(name);
        const value = values[name];
        if (field && value && field.value === '' && !isFile(name)) field.value = value;
      }
    },
    /** Shows these error messages instead of all earlier ones, and lists their fields in the summary. */
    showErrors(errors: Readonly<Record<string, string>>): void {
      if (Object.keys(errors).length === 0) everWrong.clear();
      for (const name of names) mark(name, errors[name]);
      summarize();
    },
    showError(name: string, message: string | undefined): void {
      mark(name, message);
      // Until every field is corrected, the summary keeps all its links, so the layout does not shift with each
      // correction.
      if (summary && wrong.size === 0) summary.hidden = true;
    },
    /** Returns true if the field was invalid at any time since the form was last cleared. */
    wasWrong: (name: string) => everWrong.has(name),
    /** Moves the focus to the only invalid field, or to the summary if there are several. */
    focusErrors(): void {
      if (summary && wrong.size > 1) summary.focus();
      else focusFirstError();
    },
    focusFirstError,
  };
}

function linkTo(field: Field): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = `#${field.id}`;
  link.textContent = field.labels?.[0]?.textContent.replace(/\*/g, '').trim() || field.name;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    field.focus();
  });
  return link;
}
