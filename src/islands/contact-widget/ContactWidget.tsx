import { type ReactNode, type ToggleEvent, useEffect, useRef } from 'react';
import './contact-widget.css';

interface Props {
  /** The contact form: server-rendered HTML that React leaves alone, so that nothing typed is lost. */
  children?: ReactNode;
}

function holdsFocus(panel: HTMLElement | null): boolean {
  return panel?.contains(document.activeElement) ?? false;
}

function takeFocus(panel: HTMLElement | null) {
  if (!holdsFocus(panel)) panel?.focus();
}

/**
 * A round button that opens a panel with the contact form (spec §2, Home). Opening and closing need no script; hydrated,
 * it also closes with Esc and moves the focus in and out. It closes only when it is told to: a click beside it, or on a
 * message about a failed try, leaves it open.
 */
export default function ContactWidget({ children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  // The panel may be open already: it does not wait for this.
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
