// Runs in the page. Finds elements with Playwright's selectors, and says where and when an element can be pressed.
import { Ivya } from 'ivya';

const ivya = Ivya.create({ browser: 'firefox', testIdAttribute: 'data-testid' });
const isChromium = navigator.userAgent.includes('Chrome');
const problems: string[] = [];
let last: { element: Element; box: string; scrolls: number } | undefined;
let pressing: Element | undefined;
let missed = false;

declare global {
  var finder: typeof tools | undefined;
}
const tools = {
  all: (selector: string) => ivya.queryLocatorSelectorAll(selector),
  one(selector: string): Element | undefined {
    const found = tools.all(selector);
    if (found.length > 1) throw new Error(`${found.length} elements match ${selector}`);
    return found[0];
  },
  isVisible(element: Element | undefined): boolean {
    const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    return width > 0 && height > 0 && element!.checkVisibility({ visibilityProperty: true });
  },
  is(selector: string, state: 'visible' | 'hidden' | 'attached' | 'detached'): boolean {
    const element = tools.one(selector);
    const visible = tools.isVisible(element);
    return { visible, hidden: !visible, attached: !!element, detached: !element }[state];
  },
  /** Calls a function with an element. */
  with(selector: string, ask: (element: Element, argument: unknown) => unknown, argument: unknown) {
    const element = tools.one(selector);
    const answer = element && ask(element, argument);
    if (!element) return { wait: 'not in the page' };
    return answer instanceof Promise ? answer.then((value: unknown) => [value]) : [answer];
  },
  /** Returns the center of an element that is visible, enabled, at rest and not covered, or else why it is not. */
  pointOf(selector: string): { x: number; y: number } | { wait: string } {
    const element = tools.one(selector);
    if (!element || !tools.isVisible(element)) return { wait: element ? 'not visible' : 'not in the page' };
    if (element.matches(':disabled, [aria-disabled=true]')) return { wait: 'disabled' };
    // Chromium drops a press during the transition to a new page.
    if (isChromium && performance.getEntriesByType('paint').length === 0) return { wait: 'not painted' };
    const { left, top, width, height } = [...element.getClientRects()].find((box) => box.width && box.height)!;
    const box = [left, top, width, height].join();
    const scrolls = last?.element === element ? last.scrolls : 0;
    const rests = last?.element === element && last.box === box;
    last = { element, box, scrolls };
    if (!rests) return { wait: 'moving' };
    const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
    const hit = document.elementFromPoint(x, y);
    if (hit && belongsTo(hit, element)) {
      pressing = element;
      return { x, y };
    }
    // A header or a banner may cover one edge of the window, so each call scrolls the element to another edge.
    const block = (['nearest', 'center', 'start', 'end'] as const)[scrolls % 4]!;
    element.scrollIntoView({ block, behavior: 'instant' });
    last = { element, box: '', scrolls: scrolls + 1 };
    return { wait: hit ? `covered by ${hit.outerHTML.slice(0, 120)}` : 'outside of the window' };
  },
  /** Returns true if the page moved and the press would have reached another element. That press had no effect. */
  hasMissed(): boolean {
    const answer = missed;
    pressing = undefined;
    missed = false;
    return answer;
  },
  takeProblems: () => problems.splice(0),
};
globalThis.finder = tools;

const belongsTo = (hit: Element, element: Element) =>
  element.contains(hit) || hit.closest('label')?.control === element;
const stopMissed = (event: Event) => {
  if (pressing?.isConnected && /^pointer(down|up)$/.test(event.type)) {
    missed ||= !belongsTo(event.target as Element, pressing);
  }
  if (!missed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
  addEventListener(type, stopMissed, true);

// WebKit's driver reports no problems, so the page collects them.
if (!/Firefox|Chrome/.test(navigator.userAgent)) {
  const note = (problem: string) => void problems.push(problem);
  for (const level of ['warn', 'error'] as const) {
    const original = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      note(`console ${level}: ${values.map(String).join(' ')}`);
      original(...values);
    };
  }
  addEventListener('unhandledrejection', ({ reason }) => {
    // WebKit reports these errors if it skips a transition that a style sheet requested (`@view-transition`), and if an
    // import ends because the visitor leaves the page. An import that fails for another reason fails in Chromium too.
    if (!/Skipping view transition|Importing a module script failed/.test(String(reason))) {
      note(`page error: ${String(reason)}`);
    }
  });
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
    note(`console error: ${violatedDirective} refuses ${blockedURI}`),
  );
  const noteError = (event: Event) => {
    if (event instanceof ErrorEvent) note(`page error: ${event.message}`);
    // A page that the person leaves aborts its open preloads, and WebKit reports this as an error of the `<link>`.
    else if (!(event.target instanceof HTMLLinkElement && event.target.rel === 'modulepreload'))
      note(`request failed: ${nameOf(event.target)}`);
  };
  const nameOf = (target: EventTarget | null) => (target instanceof Element ? target.outerHTML.slice(0, 200) : '');
  addEventListener('error', noteError, true);
}
