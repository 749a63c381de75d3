import { type ReactNode, type ToggleEvent, useEffect, useRef } from 'react';
import './contact-widget.css';

interface Props {
  /** The contact form as server-rendered HTML. React does not change this HTML, so typed text is not lost. */
  children?: ReactNode;
}

function holdsFocus(panel: HTMLElement | null): boolean {
  return panel?.contains(document.activeElement) ?? false;
}

function takeFocus(panel: HTMLElement | null) {
  if (!holdsFocus(panel)) panel?.focus();
}

/**
 * Renders a round button that opens a panel with the contact form (docs/product.md#home-page). The panel opens and
 * closes without JavaScript. After hydration, Esc also closes the panel, and the focus moves into the panel and back to
 * the button. A click outside the panel, such as on a toast, does not close the panel.
 */
export default function ContactWidget({ children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  // Focuses a panel that the visitor opened before hydration, and lets Esc close the panel.
  useEffect(() => {
    if (panel.current?.matches(':popover-open')) takeFocus(panel.current);
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !panel.current?.matches(':popover-open')) return;
      panel.current.hidePopover();
    };
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, []);

  function moveFocus({ newState }: ToggleEvent) {
    if (newState === 'open') takeFocus(panel.current);
    else if (holdsFocus(panel.current) || document.activeElement === document.body) button.current?.focus();
  }

  return (
    <div className="contact-widget">
      <button
        type="button"
        className="widget-button"
        popoverTarget="contact-panel"
        aria-label="Start Transformation"
        ref={button}
      >
        <svg width="26" height="24" aria-hidden="true">
          <path d="M1 1h24v17H9l-5 5v-5H1zM6 7h14M6 12h9" />
        </svg>
      </button>
      <div
        id="contact-panel"
        className="widget-panel"
        popover="manual"
        role="dialog"
        aria-labelledby="contact-panel-title"
        tabIndex={-1}
        ref={panel}
        onToggle={moveFocus}
      >
        <div className="widget-head">
          <h2 id="contact-panel-title">Start Transformation</h2>
          <button
            type="button"
            className="icon-button"
            popoverTarget="contact-panel"
            popoverTargetAction="hide"
            aria-label="Close"
          >
            <svg width="16" height="16" aria-hidden="true">
              <path d="m2 2 12 12M14 2 2 14" />
            </svg>
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}
