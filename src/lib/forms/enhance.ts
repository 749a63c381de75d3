import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { inputSchema } from '../../domain/field.ts';
import { submissionMarks } from '../../domain/submissions/submission.ts';
import { ApiError } from '../request/api.ts';
import { showToast, type ToastHandle } from '../toast/toast.ts';
import { careerForm } from './career.ts';
import { contactForm } from './contact.ts';
import type { FormDefinition, FormMessage, FormTexts } from './definition.ts';
import { draftStore } from './sending/draft.ts';
import { failureOf } from './sending/failure.ts';
import { formFields } from './fields.ts';
import { fileField } from './file-field.ts';
import { newSubmissionKey } from './sending/submission-key.ts';

/** The definitions of the forms, by the value of the attribute `data-enhance`. */
const definitions: Readonly<Record<string, FormDefinition>> = { contact: contactForm, career: careerForm };

const draftDelayMs = 300;

/**
 * Enhances a server-rendered form that also works without JavaScript: error messages next to the fields, a pending
 * state, toasts, stored drafts, and an idempotency key for retries (docs/product.md#forms). Text that the visitor has
 * already typed is not changed. A second call for the same form does nothing.
 *
 * Markup: `<form action data-enhance data-variant>` with the fields and messages that {@link formFields} needs, a
 * submit button `[data-pending-label]`, and a receipt `[data-receipt]` that contains `[data-receipt-reference]`.
 */
export function enhanceForm(form: HTMLFormElement): void {
  const name = form.dataset['enhance'] ?? '';
  const variant = form.dataset['variant'] ?? '';
  const definition = definitions[name];
  const texts = definition?.variants[variant];
  if (!definition || !texts || form.dataset['enhanced'] !== undefined) return;
  form.dataset['enhanced'] = '';
  form.noValidate = true;
  // The submit button no longer waits for this script (src/islands/reach/first-touch.ts).
  form.querySelector('[data-hold]')?.removeAttribute('data-hold');

  const { file: fileRule } = definition;
  const schema = inputSchema(definition.fields);
  const fields = formFields(form, [...Object.keys(definition.fields), ...(fileRule ? [fileRule.field] : [])]);
  const store = draftStore(name, variant);
  const restored = store.read();
  if (restored) fields.fill(restored.values);
  const since = restored?.since ?? performance.timeOrigin;
  let sent = restored?.sent;
  let pending = false;
  let toast: ToastHandle | undefined;
  const attached = fileRule && fileField(form, fileRule.field, { ...fileRule, onRefused, onChosen });
  /** Cancels the automatic resend of a submission that failed because the browser was offline. */
  let whenOnline = new AbortController();

  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  function save(): void {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    const values = fields.values();
    if (Object.values(values).some((value) => value !== '')) store.write({ values, since, sent });
    else store.clear();
  }
  const saveAtOnce = (): void => {
    if (saveTimer !== undefined) save();
  };

  function check(field: string): void {
    if (field === fileRule?.field || !fields.wasWrong(field)) return;
    const result = z.safeParse(schema, fields.values());
    fields.showError(field, result.success ? undefined : fieldErrors(result.error)[field]);
  }

  form.addEventListener('input', ({ target }) => {
    whenOnline.abort();
    showReceipt(form, undefined);
    clearTimeout(saveTimer);
    saveTimer = setTimeout(save, draftDelayMs);
    check(nameOf(target));
  });
  document.addEventListener('visibilitychange', saveAtOnce);
  window.addEventListener('pagehide', saveAtOnce);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });

  // Saves text that the visitor typed before this script loaded.
  save();
  definition.prepare?.(form);

  function onChosen(): void {
    whenOnline.abort();
    if (fileRule) fields.showError(fileRule.field, undefined);
  }

  function onRefused(refusal: FormMessage): void {
    if (fileRule) fields.showError(fileRule.field, refusal.description);
    toast?.dismiss();
    toast = showToast({ ...refusal, variant: 'destructive' });
  }

  /** Shows the errors of a submission that was not sent. */
  function refuse(errors: Record<string, string>): void {
    const values = fields.values();
    const empty = Object.keys(errors).some((name) => values[name]?.trim() === '');
    const missing = fileRule && fileRule.field in errors ? fileRule.missing : undefined;
    const said = missing ?? (empty ? texts?.incomplete : undefined);
    fields.showErrors(errors);
    if (!said) return fields.focusErrors();
    fields.focusFirstError();
    toast = showToast({ ...said, variant: 'destructive' });
  }

  async function submit(): Promise<void> {
    if (pending || !definition || !texts) return;
    whenOnline.abort();
    toast?.dismiss();
    const file = attached?.file();
    const checked = z.safeParse(schema, fields.values());
    const errors = checked.success ? {} : fieldErrors(checked.error);
    if (fileRule && !file) errors[fileRule.field] = fileRule.missing.description;
    if (!checked.success || Object.keys(errors).length > 0) return refuse(errors);
    fields.showErrors({});
    const typed = JSON.stringify(fields.values());
    const input = JSON.stringify([checked.data, file && [file.name, file.size, file.lastModified]]);
    if (sent?.input !== input) sent = { key: newSubmissionKey(), input };
    save();

    pending = true;
    const done = showPending(form);
    const fieldsAndMarks = { ...checked.data, ...marksOf(form, since) };
    const onProgress = (loaded: number, total: number) => attached?.progress(loaded, total);
    const outcome = await definition.send(fieldsAndMarks, file, { key: sent.key, onProgress }).then(
      ({ reference, outcome: description = texts.success.description }) =>
        () => {
          succeed({ ...texts.success, description }, reference, typed);
          definition.analytics.sent(checked.data);
        },
      (error: unknown) => () => {
        fail(texts, error);
        definition.analytics.failed();
      },
    );
    pending = false;
    attached?.progress(null);
    done();
    outcome();
  }

  function succeed(success: FormTexts['success'], reference: string | undefined, typed: string): void {
    // Text that the visitor typed while the form was being sent stays.
    if (JSON.stringify(fields.values()) === typed) {
      form.reset();
      attached?.refresh();
    }
    fields.showErrors({});
    sent = undefined;
    save();
    showReceipt(form, reference);

    const panel = form.closest<HTMLElement>('[popover]');
    const focusHere = (panel ?? form).contains(document.activeElement) || document.activeElement === document.body;
    if (panel?.matches(':popover-open')) panel.hidePopover();
    const next = panel
      ? document.querySelector<HTMLElement>(`[popovertarget="${panel.id}"]:not([popovertargetaction="hide"])`)
      : form.querySelector<HTMLElement>(reference === undefined ? '[type=submit]' : '[data-receipt]');
    if (focusHere) next?.focus();

    toast = showToast({
      ...success,
      note: panel && reference !== undefined ? `Your reference is ${reference}.` : undefined,
    });
  }

  function fail(said: FormTexts, error: unknown): void {
    if (error instanceof ApiError && error.errors) {
      fields.showErrors(error.errors);
      fields.focusErrors();
    }
    const { retryable, ...message } = failureOf(error, said, navigator.onLine);
    toast = showToast({
      ...message,
      variant: 'destructive',
      action: retryable ? { label: 'Try again', onSelect: () => void submit() } : undefined,
      // A message that asks the visitor to act or to wait stays open.
      ...(message.note ? { durationMs: Infinity } : {}),
    });
    if (!retryable) return;
    whenOnline = new AbortController();
    window.addEventListener('online', () => void submit(), { once: true, signal: whenOnline.signal });
  }
}

function nameOf(target: EventTarget | null): string {
  return target instanceof Element ? (target.getAttribute('name') ?? '') : '';
}

/** Returns the hidden fields that detect bots: the honeypot if it is filled, and the time since the page was opened. */
function marksOf(form: HTMLFormElement, since: number): Record<string, string | number> {
  const honeypot = form.elements.namedItem(submissionMarks.honeypot);
  const elapsed = Date.now() - since;
  return {
    ...(honeypot instanceof HTMLInputElement && honeypot.value && { [submissionMarks.honeypot]: honeypot.value }),
    // A negative time, after the device's clock was set back, is omitted.
    ...(elapsed >= 0 && { [submissionMarks.fillTime]: Math.round(elapsed) }),
  };
}

/**
 * Disables the submit button and shows its pending label at the same size.
 * @returns a function that restores the button and, because a disabled button loses the focus, its focus.
 */
function showPending(form: HTMLFormElement): () => void {
  const button = form.querySelector<HTMLButtonElement>('button[data-pending-label]');
  form.setAttribute('aria-busy', 'true');
  if (!button) return () => form.removeAttribute('aria-busy');
  const label = [...button.childNodes];
  button.style.minInlineSize = `${button.offsetWidth}px`;
  const focused = document.activeElement === button;
  button.disabled = true;
  button.replaceChildren(button.dataset['pendingLabel'] ?? '');
  return () => {
    form.removeAttribute('aria-busy');
    button.style.minInlineSize = '';
    button.disabled = false;
    button.replaceChildren(...label);
    if (focused && document.activeElement === document.body) button.focus();
  };
}

function showReceipt(form: HTMLFormElement, reference: string | undefined): void {
  const receipt = form.querySelector<HTMLElement>('[data-receipt]');
  if (!receipt) return;
  receipt.hidden = reference === undefined;
  const place = receipt.querySelector('[data-receipt-reference]');
  if (place) place.textContent = reference ?? '';
}
