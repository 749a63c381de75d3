import { type ReactNode, useId } from 'react';

interface SettingsPanelProps {
  title: string;
  /** What the setting is for, in a sentence or two. */
  about: ReactNode;
  children: ReactNode;
}

/** One setting: what it is in the margin, the setting itself beside it. */
export function SettingsPanel({ title, about, children }: SettingsPanelProps) {
  const id = useId();
  return (
    <section className="settings-panel" aria-labelledby={id}>
      <div className="settings-about">
        <h2 id={id}>{title}</h2>
        <p>{about}</p>
      </div>
      <div className="settings-body">{children}</div>
    </section>
  );
}
