import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import './service-tabs.css';

interface ServiceTab {
  id: string;
  title: string;
  /** Where a client stands who needs it. */
  stage: string;
}

/** Panels by the services' ids in camel case: server-rendered HTML that React leaves alone. */
type Props = { tabs: ServiceTab[] } & { [panel: string]: ReactNode | ServiceTab[] };

const offset = 80;
const scrollDelayMs = 100;

const hashOf = (id: string) => `#services-${id}`;
const slotOf = (id: string) => id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function onHashChange(notify: () => void) {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

/**
 * The services explorer. Before it is hydrated its tabs are links, and style sheets alone show the panel that the
 * address names; hydrated, it is the tabs pattern of the ARIA practices, and begins with the panel shown by then.
 */
export default function ServiceTabs({ tabs, ...panels }: Props) {
  const list = useRef<HTMLDivElement>(null);
  /** Null until hydrated. */
  const hash = useSyncExternalStore(
    onHashChange,
    () => location.hash,
    () => null,
  );
  const live = hash !== null;
  const [chosen, setChosen] = useState<string>();
  const selected = chosen ?? tabs.find(({ id }) => hashOf(id) === hash)?.id ?? tabs[0]?.id;

  // An address that names a tab wins over what was chosen before, and leads to the section (spec §2, §9).
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scroll = () => {
      const section = list.current?.closest('section');
      if (section) window.scrollTo({ top: section.getBoundingClientRect().top + scrollY - offset });
    };
    const follow = () => {
      if (!tabs.some(({ id }) => hashOf(id) === location.hash)) return;
      setChosen(undefined);
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

  function choose(event: MouseEvent, id: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    select(id);
  }

  function select(id: string) {
    setChosen(id);
    // Safari does not focus a link that is clicked, and the arrow keys need the focus.
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
    select(next.id);
  }

  return (
    <div className="explorer" data-live={live || undefined}>
      <div role="tablist" aria-label="Services" aria-orientation="vertical" ref={list}>
        {tabs.map(({ id, title, stage }, index) => (
          <a
            key={id}
            id={`tab-${id}`}
            className="tab line"
            role="tab"
            href={hashOf(id)}
            aria-controls={`services-${id}`}
            aria-selected={id === selected}
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
      {tabs.map(({ id }) => (
        <div
          key={id}
          id={`services-${id}`}
          className="panel"
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          data-selected={(live && id === selected) || undefined}
        >
          {panels[slotOf(id)] as ReactNode}
        </div>
      ))}
    </div>
  );
}
