import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

interface TabsProps<Tab extends { readonly id: string; readonly label: string }> {
  /** The accessible name of the tab list. */
  label: string;
  tabs: readonly Tab[];
  selected: Tab['id'];
  onSelect: (id: Tab['id']) => void;
  /** Called when the pointer or the focus reaches a tab, because a click is then likely. */
  onIntent: (tab: Tab) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
}

/** Tabs, built on the ARIA pattern: the tab list is one tab stop, and the arrow keys, Home and End select a tab. */
export function Tabs<Tab extends { readonly id: string; readonly label: string }>({
  label,
  tabs,
  selected,
  onSelect,
  onIntent,
  children,
}: TabsProps<Tab>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);

  // On a phone the tabs are wider than the screen, so the selected tab is scrolled into view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (!tab) return;
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };

  return (
    <div className="tabs">
      <div ref={list} className="tab-list" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${base}-tab-${tab.id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={tab.id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            {...(tab.id !== selected && { onPointerEnter: () => onIntent(tab), onFocus: () => onIntent(tab) })}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} className="tab-panel" role="tabpanel" aria-labelledby={`${base}-tab-${selected}`}>
        {children}
      </div>
    </div>
  );
}
