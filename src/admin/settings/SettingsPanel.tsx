import { type ReactNode, useEffect, useId, useRef } from 'react';

interface SettingsPanelProps {
  title: string;
  /** What the setting is for, in a sentence or two. */
  about: ReactNode;
  /** The fragment of an address that leads here. */
  anchor?: string;
  children: ReactNode;
}

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
    window.addEventListener('hashchange', scroll);
    return () => window.removeEventListener('hashchange', scroll);
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
