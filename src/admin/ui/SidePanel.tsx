import { type ReactNode, useEffect, useId, useRef } from 'react';
import { PaneHead } from './PaneHead.tsx';

interface SidePanelProps {
  title: string;
  onClose: () => void;
  actions?: ReactNode;
  children: ReactNode;
}

/** A panel next to a list. The list stays usable. The panel takes the focus when it opens. */
export function SidePanel({ title, onClose, actions, children }: SidePanelProps) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();

  useEffect(() => ref.current?.focus({ preventScroll: true }), []);

  return (
    <section ref={ref} className="side-panel" aria-labelledby={titleId} tabIndex={-1}>
      <PaneHead titleId={titleId} title={title} actions={actions} onClose={onClose} />
      <div className="pane-body">{children}</div>
    </section>
  );
}
