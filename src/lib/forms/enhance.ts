import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { ApiError, request } from '../api.ts';
import { showToast, type ToastHandle } from '../toast/toast.ts';
import { contactForm } from './contact.ts';
import type { FormDefinition, FormTexts } from './definition.ts';
import { draftStore, type Draft } from './draft.ts';
import { failureOf } from './failure.ts';
import { formFields } from './fields.ts';
import { newSubmissionKey } from './submission-key.ts';

/** By the form's `data-enhance`. */
const definitions: Readonly<Record<string, FormDefinition>> = { contact: contactForm };

const draftDelayMs = 300;

/** Dispatched on the form, bubbling, when a submission was accepted. */
export interface FormSent {
  /** The form's `data-enhance`. */
  name: string;
  reference: string;
}

/**
 * Takes over a server-rendered form that also works without scripts: messages beside the fields, a pending state,
 * toasts, kept text, and one submission however often it is sent (spec §4, §5, §8; decisions, 'Contact and careers').
 * What the visitor typed before is kept. A second call for the same form does nothing.
 *
 * Markup: `<form action data-enhance data-variant>` with the fields and messages that {@link formFields} needs, a submit
 * button `[data-pending-label]`, and a receipt `[data-receipt]` holding `[data-receipt-reference]`.
 */
export function enhanceForm(form: HTMLFormElement): void {
  const name = form.dataset['enhance'] ?? '';
  const variant = form.dataset['variant'] ?? '';
  const definition = definitions[name];
  const texts = definition?.variants[variant];
  if (!definition || !texts || form.dataset['enhanced'] !== undefined) return;
  form.dataset['enhanced'] = '';
  form.noValidate = true;

  const { schema, fields: names } = definition;
  const fields = formFields(form, names);
  const store = draftStore(name, variant);
  const restored = store.read();
  if (restored) fields.fill(restored.values);
  const since = restored?.since ?? performance.timeOrigin;
  let sent = restored?.sent;
  let pending = false;
  let toast: ToastHandle | undefined;
  /** Aborted when the submission that failed is no longer the one to send by itself. */
  let whenOnline = new AbortController();

  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  function save(): void {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    const values = fields.values();
    const draft: Draft = { values, since };
    if (sent) draft.sent = sent;
    if (Object.values(values).some((value) => value !== '')) store.write(draft);
    else store.clear();
  }
  const saveAtOnce = (): void => {
    if (saveTimer !== undefined) save();
  };

  function check(field: string): void {
    if (!fields.wasWrong(field)) return;
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
  // What a link chose.
  form.addEventListener('change', ({ target }) => check(nameOf(target)));
  document.addEventListener('visibilitychange', saveAtOnce);
  window.addEventListener('pagehide', saveAtOnce);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });

  // What was typed before the script came is kept from now on, whether or not another key is pressed.
  save();
  definition.prepare?.(form);

  async function submit(): Promise<void> {
    if (pending || !definition || !texts) return;
    whenOnline.abort();
    toast?.dismiss();
    const values = fields.values();
    const checked = z.safeParse(schema, values);
    if (!checked.success) {
      fields.showErrors(fieldErrors(checked.error));
      if (texts.incomplete && Object.values(values).some((value) => value.trim() === '')) {
        fields.focusFirstError();
        toast = showToast({ ...texts.incomplete, variant: 'destructive' });
      } else {
        fields.focusErrors();
      }
      return;
    }
    fields.showErrors({});
    const input = JSON.stringify(checked.data);
    if (sent?.input !== input) sent = { key: newSubmissionKey(), input };
    save();

    pending = true;
    const done = showPending(form);
    const outcome = await request(definition.endpoint, {
      body: { ...checked.data, ...marksOf(form, definition, since) },
      headers: { 'idempotency-key': sent.key },
      schema: definition.receipt,
    }).then(
      ({ reference }) =>
        () => {
          succeed(texts, reference);
          definition.analytics.sent(checked.data);
        },
      (error: unknown) => () => {
        fail(texts, error);
        definition.analytics.failed();
      },
    );
    pending = false;
    done();
    outcome();
  }

  function succeed({ success }: FormTexts, reference: string): void {
    form.reset();
    fields.showErrors({});
    sent = undefined;
    clearTimeout(saveTimer);
    saveTimer = undefined;
    store.clear();
    showReceipt(form, reference);

    const panel = form.closest<HTMLElement>('[popover]');
    const focusHere = (panel ?? form).contains(document.activeElement) || document.activeElement === document.body;
    if (panel?.matches(':popover-open')) panel.hidePopover();
    const next = panel
      ? document.querySelector<HTMLElement>(`[popovertarget="${panel.id}"]:not([popovertargetaction="hide"])`)
      : form.querySelector<HTMLElement>('[data-receipt]');
    if (focusHere) next?.focus();

    toast = showToast({ ...success, note: panel ? `Your reference is ${reference}.` : undefined });
    const detail: FormSent = { name, reference };
    form.dispatchEvent(new CustomEvent('form:sent', { bubbles: true, detail }));
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
      // What asks the visitor to act, or to wait, stays until it is done.
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

function marksOf(form: HTMLFormElement, { marks }: FormDefinition, since: number): Record<string, unknown> {
  const honeypot = form.elements.namedItem(marks.honeypot);
  const elapsed = Date.now() - since;
  return {
    ...(honeypot instanceof HTMLInputElement && honeypot.value !== '' ? { [marks.honeypot]: honeypot.value } : {}),
    // A clock that was set back says nothing about the visitor.
    ...(elapsed >= 0 ? { [marks.fillTime]: Math.round(elapsed) } : {}),
  };
}

/**
 * The button says that the form is being sent, keeps its size and takes no further click. Returns what puts it back, the
 * focus included, which a disabled button loses.
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
