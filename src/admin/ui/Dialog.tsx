import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { PaneHead } from './PaneHead.tsx';

interface DialogProps {
  title: string;
  /** Esc, the close button, or a press on the backdrop. */
  onClose: () => void;
  /** `drawer` stands at the side, and fills a phone's screen. */
  placement?: 'center' | 'drawer';
  actions?: ReactNode;
  children: ReactNode;
}

/** A modal dialog for as long as it is rendered. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, onClose, placement = 'center', actions, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = useEffectEvent(onClose);

  // Closed before the element leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    let leaving = false;
    const onClosed = () => {
      if (!leaving) close();
    };
    dialog.showModal();
    dialog.focus();
    dialog.addEventListener('close', onClosed);
    return () => {
      leaving = true;
      dialog.close();
      dialog.removeEventListener('close', onClosed);
    };
  }, []);

  return (
    <dialog ref={ref} className={`dialog dialog-${placement}`} aria-labelledby={titleId} tabIndex={-1} closedby="any">
      <PaneHead titleId={titleId} title={title} actions={actions} onClose={onClose} />
      <div className="pane-body">{children}</div>
    </dialog>
  );
}
