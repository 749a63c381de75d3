// Runs in the page. Finds elements with ivya, Playwright's locator code, and determines when an element can be used.
import { Ivya } from 'ivya';

type Point = { x: number; y: number };
/** A point to click, or the reason to wait. */
export type Readiness = { at: Point } | { wait: string };

interface Locators {
  all(selector: string): Element[];
  one(selector: string): Element | undefined;
  isVisible(element: Element | undefined): boolean;
  /**
   * Returns where to click the element. If `enabled` is true, the element must be enabled, and the next press has no
   * effect if it reaches another element.
   */
  pointOf(selector: string, needs: { enabled: boolean }): Readiness;
  /**
   * Returns false if the last press reached another element, because the page moved. The events of that press were
   * stopped.
   */
  wasPressed(): boolean;
  /** Returns the problems since the last call. Always empty in Firefox, which reports problems itself. */
  takeProblems(): string[];
}

declare global {
  var locators: Locators | undefined;
}

const isWebkit = !navigator.userAgent.includes('Firefox');
// Uses ivya's code for Firefox in both browsers. The code for WebKit is for versions without `checkVisibility`.
const ivya = Ivya.create({ browser: 'firefox', testIdAttribute: 'data-testid' });
const places = new WeakMap<Element, { text: string; time: number; block: number }>();
let problems: string[] = [];
/** The element that is about to be pressed. */
let pressing: Element | undefined;
let missed = false;

globalThis.locators = {
  all: (selector) => ivya.queryLocatorSelectorAll(selector),
  one,
  isVisible,
  pointOf,
  wasPressed() {
    const wasPressed = !missed;
    pressing = undefined;
    missed = false;
    return wasPressed;
  },
  takeProblems() {
    const taken = problems;
    problems = [];
    return taken;
  },
};

function one(selector: string): Element | undefined {
  const found = ivya.queryLocatorSelectorAll(selector);
  if (found.length > 1) throw new Error(`${found.length} elements match ${selector}`);
  return found[0];
}

function isVisible(element: Element | undefined): boolean {
  if (!element?.checkVisibility({ visibilityProperty: true })) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Scrolls an element into view. Returns a point once the element has stopped moving and nothing covers it. */
function pointOf(selector: string, needs: { enabled: boolean }): Readiness {
  const element = one(selector);
  if (!element) return { wait: 'not in the page' };
  if (!isVisible(element)) return { wait: 'not visible' };
  if (needs.enabled && element.matches(':disabled, [aria-disabled=true]')) return { wait: 'disabled' };
  const { left, top, width, height } = [...element.getClientRects()].find(({ width, height }) => width && height)!;
  const before = places.get(element);
  const text = [left, top, width, height].join();
  const now = performance.now();
  const blocks = ['nearest', 'center', 'start', 'end'] as const;
  const block = before?.block ?? 0;
  if (before?.text !== text || now - before.time < 15) {
    places.set(element, { text, time: before?.text === text ? before.time : now, block });
    return { wait: 'moving' };
  }
  const at = { x: Math.floor(left + width / 2), y: Math.floor(top + height / 2) };
  const hit = document.elementFromPoint(at.x, at.y);
  if (hit && belongsTo(hit, element)) {
    if (needs.enabled) pressing = element;
    return { at };
  }
  // A header or a banner may cover one edge of the window, so each call scrolls the element to another edge.
  element.scrollIntoView({ block: blocks[block % blocks.length]!, behavior: 'instant' });
  places.set(element, { text: '', time: now, block: block + 1 });
  return { wait: hit ? `covered by ${hit.outerHTML.slice(0, 120)}` : 'outside of the window' };
}

const belongsTo = (hit: Element, element: Element) =>
  element.contains(hit) || hit.closest('label')?.control === element;

for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
  addEventListener(
    kind,
    (event) => {
      if (!pressing) return;
      if (kind === 'pointerdown') missed = !belongsTo(event.target as Element, pressing);
      if (!missed) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

if (isWebkit) {
  const note = (problem: string) => void problems.push(problem);
  for (const level of ['warn', 'error'] as const) {
    const original = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      note(`console ${level}: ${values.map(String).join(' ')}`);
      original(...values);
    };
  }
  addEventListener('unhandledrejection', ({ reason }) => {
    // WebKit reports this error if it skips a page transition. The style sheet requested the transition
    // (`@view-transition`), so the error does not come from a script.
    if (!/Skipping view transition/.test(String(reason))) note(`page error: ${String(reason)}`);
  });
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
    note(`console error: ${violatedDirective} refuses ${blockedURI}`),
  );
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent) note(`page error: ${event.message}`);
      else if (event.target instanceof Element) note(`request failed: ${event.target.outerHTML.slice(0, 200)}`);
    },
    { capture: true },
  );
}
