import { type ReactNode, useEffect, useId, useRef } from 'react';

interface SettingsPanelProps {
  title: string;
  /** What the setting is for, in a sentence or two. */
  about: ReactNode;
  /** The fragment of an address that leads here. */
  anchor?: string;
  children: ReactNode;
}

/** How long a panel that an address names is kept in view while others load, in milliseconds, unless somebody scrolls. */
const settleMs = 5_000;

/** One setting: what it is in the margin, the setting itself beside it. */
export function SettingsPanel({ title, about, anchor, children }: SettingsPanelProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The browser looked for the fragment before the screen was there.
    const scroll = () => {
      if (anchor !== undefined && window.location.hash === `#${anchor}`) section.current?.scrollIntoView();
    };
    scroll();
    // The panels above grow when their data arrives.
    const growing = new ResizeObserver(scroll);
    const panels = section.current?.parentElement;
    if (panels) growing.observe(panels);
    const settled = new AbortController();
    const settle = () => {
      growing.disconnect();
      settled.abort();
    };
    const timer = setTimeout(settle, settleMs);
    for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      window.addEventListener(type, settle, { passive: true, signal: settled.signal });
    window.addEventListener('hashchange', scroll);
    return () => {
      settle();
      clearTimeout(timer);
      window.removeEventListener('hashchange', scroll);
    };
  }, [anchor]);
  return (
    <section ref={section} id={anchor} className="settings-panel" aria-labelledby={id}>
      <div className="settings-about">
        <h2 id={id}>{title}</h2>
        <p>{about}</p>
      </div>
      <div className="settings-body">{children}</div>
    </section>
  );
}
