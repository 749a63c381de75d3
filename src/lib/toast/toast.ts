import styles from './toast.css?inline';

/** Default time that a toast stays open (docs/product.md#admin-area). */
const toastDurationMs = 5_000;

/**
 * Delay after which the text of a new toast is replaced by a copy. Screen readers announce a new `status` element only
 * if its content changes after it was added to the page.
 */
const announceDelayMs = 100;
/** Duration of the closing transition in milliseconds. The element is removed after the transition. */
const leaveMs = 200;

export interface ToastOptions {
  title: string;
  description?: string | undefined;
  /** A separate line below the description. */
  note?: string | undefined;
  /** Screen readers announce `destructive` immediately, and `default` when they are idle. */
  variant?: 'default' | 'destructive';
  /** One button. A click closes the toast, then calls `onSelect`. */
  action?: { label: string; onSelect: () => void } | undefined;
  /** `Infinity` keeps the toast open until it is closed or replaced. */
  durationMs?: number;
}

export interface ToastHandle {
  dismiss(): void;
}

let shown: { host: HTMLElement; close: (atOnce: boolean) => void } | undefined;
let styled = false;

/**
 * Shows a short message above everything else, including modal dialogs and open popovers. A new toast replaces the
 * previous one. The time limit starts again when the pointer or the focus leaves the toast, and when a hidden tab is
 * shown.
 */
export function showToast(options: ToastOptions): ToastHandle {
  addStyles();
  shown?.close(true);

  const { host, region, close: closeButton, action } = build(options);
  const life = new AbortController();
  const { signal } = life;
  const { durationMs = toastDurationMs } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pointed = false;
  /** The element to which the focus returns when the toast closes. */
  let focusedBefore: HTMLElement | null = null;

  function close(atOnce: boolean): void {
    if (signal.aborted) return;
    life.abort();
    clearTimeout(timer);
    shown = undefined;
    if (host.contains(document.activeElement)) focusedBefore?.focus();
    if (host.isConnected) host.hidePopover();
    if (atOnce) host.remove();
    else setTimeout(() => host.remove(), leaveMs);
  }

  /** Starts the time limit again, or stops it while the toast is in use or cannot be seen. */
  function restart(): void {
    clearTimeout(timer);
    const held = pointed || host.contains(document.activeElement) || document.hidden;
    if (!held && durationMs !== Infinity) timer = setTimeout(() => close(false), durationMs);
  }

  closeButton.addEventListener('click', () => close(false));
  action?.addEventListener('click', () => {
    close(false);
    options.action?.onSelect();
  });
  for (const type of ['pointerenter', 'pointerleave']) {
    host.addEventListener(type, () => {
      pointed = type === 'pointerenter';
      restart();
    });
  }
  host.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !host.contains(relatedTarget)) focusedBefore = relatedTarget;
    restart();
  });
  host.addEventListener('focusout', restart);
  document.addEventListener('visibilitychange', restart, { signal });
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      // If the focus is in the toast, Esc closes only the toast. Otherwise, Esc may also close the focused dialog or
      // popover.
      if (host.contains(event.target as Node | null)) event.preventDefault();
      close(false);
    },
    { signal, capture: true },
  );

  // Adds the toast to the open modal dialog, because everything outside a modal dialog is inert: screen readers would
  // not announce the toast, and its buttons would not work.
  const show = (): void => {
    // After a dialog closes, another modal dialog may still be open.
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    (dialog ?? document.body).append(host);
    dialog?.addEventListener('close', show, { signal, once: true });
    host.showPopover();
    place(host);
  };

  // The toast does not move while it contains the focus, so a clicked button stays under the pointer.
  const settle = (): void => {
    if (!host.contains(document.activeElement)) place(host);
  };
  document.addEventListener('focusin', settle, { signal });
  window.visualViewport?.addEventListener('resize', settle, { signal });
  window.visualViewport?.addEventListener('scroll', settle, { signal });

  const appear = (): void => {
    if (signal.aborted) return;
    show();
    if (options.variant !== 'destructive') {
      const announce = setTimeout(() => {
        region.replaceChildren(...[...region.children].map((line) => line.cloneNode(true)));
      }, announceDelayMs);
      signal.addEventListener('abort', () => clearTimeout(announce));
    }
    restart();
  };
  shown = { host, close };
  // Appears after the next frame, so the visible effect of a click is not delayed. A hidden tab renders no frames.
  if (document.hidden) appear();
  else requestAnimationFrame(() => setTimeout(appear));
  return { dismiss: () => close(false) };
}

function addStyles(): void {
  if (styled) return;
  styled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}

function build({ title, description, note, variant = 'default', action }: ToastOptions) {
  const host = create('div', 'toast');
  host.popover = 'manual';
  host.dataset.variant = variant;
  const region = document.createElement('div');
  region.role = variant === 'destructive' ? 'alert' : 'status';
  region.ariaAtomic = 'true';
  region.append(create('p', 'toastTitle', title));
  if (description) region.append(create('p', 'toastDescription', description));
  if (note) region.append(create('p', 'toastNote', note));
  const body = create('div', 'toastBody');
  body.append(region);
  const button = action && create('button', 'toastAction', action.label);
  if (button) body.append(button);
  const close = create('button', 'toastClose', '\u00d7');
  close.ariaLabel = 'Close';
  host.append(body, close);
  return { host, region, close, action: button };
}

function create(name: 'div' | 'p' | 'button', mark: string, text = ''): HTMLElement {
  const element = document.createElement(name);
  element.dataset[mark] = '';
  element.textContent = text;
  if (element instanceof HTMLButtonElement) element.type = 'button';
  return element;
}

/**
 * Places the toast above an on-screen keyboard, elements with `data-keep-clear` and the submit button of the form in use.
 * If the toast would still cover the focused control, or would not fit, it moves to the top.
 */
function place(host: HTMLElement): void {
  const viewport = window.visualViewport;
  const height = document.documentElement.clientHeight;
  const below = viewport ? Math.max(0, Math.round(height - viewport.height - viewport.offsetTop)) : 0;
  const lift = (px: number): void => host.style.setProperty('--toast-lift', `${px}px`);
  if (viewport) host.style.setProperty('--toast-drop', `${Math.max(0, Math.round(viewport.offsetTop))}px`);
  delete host.dataset.place;
  lift(below);

  const form = document.activeElement?.closest('form');
  const keptClear = [
    ...(host.parentElement ?? document).querySelectorAll('[data-keep-clear]'),
    ...(form?.querySelectorAll('[type="submit"]') ?? []),
  ];
  // Elements are checked from the bottom up, because moving the toast above one element may make the toast cover the
  // next.
  keptClear.sort((one, other) => other.getBoundingClientRect().top - one.getBoundingClientRect().top);
  for (const element of keptClear) {
    if (covers(host, element)) lift(Math.max(below, Math.ceil(height - element.getBoundingClientRect().top)));
  }
  const focused = document.activeElement;
  const inTheWay = focused?.matches('input, select, textarea, button, a') && covers(host, focused);
  if (inTheWay || host.getBoundingClientRect().top < 0) host.dataset.place = 'top';
}

function covers(one: Element, other: Element): boolean {
  const mine = one.getBoundingClientRect();
  const theirs = other.getBoundingClientRect();
  return mine.left < theirs.right && theirs.left < mine.right && mine.top < theirs.bottom && theirs.top < mine.bottom;
}
