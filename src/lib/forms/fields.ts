type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields of a form, with the messages that stand beside them. */
interface FormFields {
  /** Texts by name; a file is none. */
  values(): Record<string, string>;
  /** Puts text into the fields that are still empty: what is already there wins. */
  fill(values: Readonly<Record<string, string>>): void;
  /** Shows these messages and no others, and lists the fields in the summary. */
  showErrors(errors: Readonly<Record<string, string>>): void;
  /** Replaces or removes the message of one field. */
  showError(name: string, message: string | undefined): void;
  /** Whether this field was found wrong since the form was last clear. */
  wasWrong(name: string): boolean;
  /** Moves the focus to the one wrong field, or to the summary where there are several. */
  focusErrors(): void;
  focusFirstError(): void;
}

/**
 * @param names the fields in the form's order. Markup: a message element `[data-error-for="{name}"]` for each, tied to
 * its field by `aria-describedby`, and one `[data-error-summary]` that can take the focus.
 */
export function formFields(form: HTMLFormElement, names: readonly string[]): FormFields {
  const summary = form.querySelector<HTMLElement>('[data-error-summary]');
  const wrong = new Set<string>();
  const everWrong = new Set<string>();

  const fieldOf = (name: string): Field | undefined => {
    const found = form.elements.namedItem(name);
    return found instanceof HTMLInputElement ||
      found instanceof HTMLTextAreaElement ||
      found instanceof HTMLSelectElement
      ? found
      : undefined;
  };

  const isFile = (name: string): boolean => fieldOf(name)?.type === 'file';

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

  /** Links by the fields' labels: the messages themselves stand beside the fields. */
  function summarize(): void {
    if (!summary) return;
    const links = names.flatMap((name) => {
      const field = wrong.has(name) ? fieldOf(name) : undefined;
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
    values: () =>
      Object.fromEntries(names.flatMap((name) => (isFile(name) ? [] : [[name, fieldOf(name)?.value ?? '']]))),
    fill(values) {
      for (const name of names) {
        const field = fieldOf(name);
        const value = values[name];
        if (field && value && field.value === '' && !isFile(name)) field.value = value;
      }
    },
    showErrors(errors) {
      if (Object.keys(errors).length === 0) everWrong.clear();
      for (const name of names) mark(name, errors[name]);
      summarize();
    },
    showError(name, message) {
      mark(name, message);
      // The list stays as it is while fields are corrected, so that nothing moves under the visitor's hand.
      if (summary && wrong.size === 0) summary.hidden = true;
    },
    wasWrong: (name) => everWrong.has(name),
    focusErrors() {
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
