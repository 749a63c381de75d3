import { type ReactNode, useEffect, useId, useRef } from 'react';

interface SettingsPanelProps {
  title: string;
  /** One or two sentences about the setting. */
  about: ReactNode;
  /** The URL fragment that leads to this panel. */
  anchor?: string;
  children: ReactNode;
}

/** One setting, with its title on the left on wide screens. */
export function SettingsPanel({ title, about, anchor, children }: SettingsPanelProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The browser looked for the URL's fragment before this panel was rendered.
    if (anchor !== undefined && window.location.hash === `#${anchor}`) section.current?.scrollIntoView();
  }, [anchor]);
  return (
    <section
      ref={section}
      id={anchor}
      className="grid gap-x-12 gap-y-4 pt-6 pb-8 rule-b-rule last:[border:0] @min-[48rem]/settings:grid-cols-[minmax(14rem,20rem)_minmax(0,44rem)]"
      aria-labelledby={id}
    >
      <div className="grid content-start gap-1.5 text-ink-soft">
        <h2 id={id} className="text-ink">
          {title}
        </h2>
        <p className="max-w-136">{about}</p>
      </div>
      <div className="grid min-w-0 justify-items-start gap-4 *:max-w-full">{children}</div>
    </section>
  );
}
