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
 * previous one. The timer pauses while the pointer or the focus is on the toast, and while the tab is hidden.
 */
export function showToast(options: ToastOptions): ToastHandle {
  addStyles();
  shown?.close(true);

  const { host, region, focusables } = build(options);
  const life = new AbortController();
  const { signal } = life;
  const clock = countdown(options.durationMs ?? toastDurationMs, () => close(false));
  /** The element to which the focus returns when the toast closes. */
  let focusedBefore: HTMLElement | null = null;

  function close(atOnce: boolean): void {
    if (signal.aborted) return;
    life.abort();
    clock.stop();
    shown = undefined;
    if (host.contains(document.activeElement)) focusedBefore?.focus();
    if (host.isConnected) host.hidePopover();
    if (atOnce) host.remove();
    else setTimeout(() => host.remove(), leaveMs);
  }

  focusables.close.addEventListener('click', () => close(false));
  focusables.action?.addEventListener('click', () => {
    close(false);
    options.action?.onSelect();
  });

  host.addEventListener('pointerenter', () => clock.pause('pointer'));
  host.addEventListener('pointerleave', () => clock.resume('pointer'));
  host.addEventListener('focusin', ({ relatedTarget }) => {
    clock.pause('focus');
    if (relatedTarget instanceof HTMLElement && !host.contains(relatedTarget)) focusedBefore = relatedTarget;
  });
  host.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) clock.resume('focus');
  });
  const watchTab = (): void => (document.hidden ? clock.pause('hidden') : clock.resume('hidden'));
  document.addEventListener('visibilitychange', watchTab, { signal });
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      // If the focus is in the toast, Esc closes only the toast. Otherwise, Esc may also close the focused dialog or
      // popover.
      if (host.contains(event.target as Node | null)) {
        event.preventDefault();
        event.stopPropagation();
      }
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
    clock.start();
    watchTab();
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

function build(options: ToastOptions) {
  const host = document.createElement('div');
  host.popover = 'manual';
  host.dataset.toast = '';
  host.dataset.variant = options.variant ?? 'default';

  const body = document.createElement('div');
  body.dataset.toastBody = '';
  const region = document.createElement('div');
  region.setAttribute('role', options.variant === 'destructive' ? 'alert' : 'status');
  region.setAttribute('aria-atomic', 'true');
  region.append(line('toastTitle', options.title));
  if (options.description) region.append(line('toastDescription', options.description));
  if (options.note) region.append(line('toastNote', options.note));
  body.append(region);

  let action: HTMLButtonElement | undefined;
  if (options.action) {
    action = document.createElement('button');
    action.type = 'button';
    action.dataset.toastAction = '';
    action.textContent = options.action.label;
    body.append(action);
  }

  const close = document.createElement('button');
  close.type = 'button';
  close.dataset.toastClose = '';
  close.setAttribute('aria-label', 'Close');
  close.textContent = '\u00d7';
  host.append(body, close);
  return { host, region, focusables: { close, action } };
}

function line(name: string, text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.dataset[name] = '';
  paragraph.textContent = text;
  return paragraph;
}

/** Returns a timer that pauses while at least one reason, such as the pointer on the toast, is set. */
function countdown(durationMs: number, done: () => void) {
  const holds = new Set<string>();
  let left = durationMs;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = (): void => {
    if (timer !== undefined || holds.size > 0 || left === Infinity) return;
    since = performance.now();
    timer = setTimeout(done, left);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    start: run,
    stop,
    pause(reason: string): void {
      holds.add(reason);
      if (timer === undefined) return;
      stop();
      left = Math.max(0, left - (performance.now() - since));
    },
    resume(reason: string): void {
      if (holds.delete(reason)) run();
    },
  };
}

/**
 * Places the toast above an on-screen keyboard and above elements with `data-keep-clear`. If the toast would still
 * cover the focused control, or would not fit, it moves to the top.
 */
function place(host: HTMLElement): void {
  const viewport = window.visualViewport;
  const height = document.documentElement.clientHeight;
  const below = viewport ? Math.max(0, Math.round(height - viewport.height - viewport.offsetTop)) : 0;
  const lift = (px: number): void => host.style.setProperty('--toast-lift', `${px}px`);
  if (viewport) host.style.setProperty('--toast-drop', `${Math.max(0, Math.round(viewport.offsetTop))}px`);
  delete host.dataset.place;
  lift(below);

  const keptClear = [...(host.parentElement ?? document).querySelectorAll('[data-keep-clear]')];
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
