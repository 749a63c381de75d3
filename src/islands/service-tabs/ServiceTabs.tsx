import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import './service-tabs.css';

/**
 * The id, the title and the project stage of a service. A tuple, because property names would make the home page
 * larger.
 */
type ServiceTab = readonly [id: string, title: string, stage: string];

interface Props {
  tabs: ServiceTab[];
  /** One panel for each tab, as server-rendered HTML that React does not change. */
  children?: ReactNode;
}

const offset = 80;
const scrollDelayMs = 100;

const hashOf = (id: string) => `#services-${id}`;

/**
 * Renders the services explorer. Before hydration, the tabs are links, and CSS shows the panel that the URL's hash
 * names. After hydration, the explorer follows the ARIA tabs pattern and starts with the same panel.
 */
export default function ServiceTabs({ tabs, children }: Props) {
  const explorer = useRef<HTMLDivElement>(null);
  /** The id of the service that the explorer shows; undefined before hydration. */
  const [selected, setSelected] = useState<string>();
  const live = selected !== undefined;

  // A hash that names a tab replaces an earlier choice and scrolls to the section (docs/product.md#home-page).
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scroll = () => {
      const section = explorer.current?.closest('section');
      if (section) window.scrollTo({ top: section.getBoundingClientRect().top + scrollY - offset });
    };
    const follow = (event?: Event) => {
      const named = tabs.find(([id]) => hashOf(id) === location.hash)?.[0];
      setSelected((before) => named ?? before ?? tabs[0]?.[0]);
      // After Back or a reload, the browser itself restores the scroll position.
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      if (named === undefined || (!event && load?.type !== 'navigate')) return;
      clearTimeout(timer);
      timer = setTimeout(scroll, scrollDelayMs);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => {
      clearTimeout(timer);
      removeEventListener('hashchange', follow);
    };
  }, [tabs]);

  useLayoutEffect(() => {
    if (!live) return;
    for (const panel of explorer.current?.querySelectorAll('.panel') ?? []) {
      panel.toggleAttribute('data-selected', panel.id === `services-${selected}`);
    }
  }, [live, selected]);

  function choose(event: MouseEvent, id: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    select(id);
  }

  function select(id: string) {
    setSelected(id);
    // If the visitor returns with the Back button, the hash still names the chosen tab.
    history.replaceState(history.state, '', hashOf(id));
    // Safari does not focus a clicked link, and the arrow keys work only while a tab has the focus.
    document.getElementById(`tab-${id}`)?.focus({ preventScroll: true });
  }

  function move(event: KeyboardEvent, index: number) {
    const last = tabs.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: index === last ? 0 : index + 1,
      ArrowRight: index === last ? 0 : index + 1,
      ArrowUp: index === 0 ? last : index - 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
      ' ': index,
    };
    const next = tabs[steps[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    select(next[0]);
  }

  return (
    <div className="explorer" data-live={live || undefined} ref={explorer}>
      <div role="tablist" aria-label="Services" aria-orientation="vertical">
        {tabs.map(([id, title, stage], index) => (
          <a
            key={id}
            id={`tab-${id}`}
            className="tab line"
            role="tab"
            href={hashOf(id)}
            aria-controls={`services-${id}`}
            aria-selected={id === (selected ?? tabs[0]?.[0])}
            data-hold={live ? undefined : ''}
            tabIndex={live && id !== selected ? -1 : undefined}
            onClick={(event) => choose(event, id)}
            onKeyDown={(event) => move(event, index)}
          >
            <span>{stage}</span>
            {title}
          </a>
        ))}
      </div>
      {children}
    </div>
  );
}
