import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { PaneHead } from './PaneHead.tsx';

interface DialogProps {
  title: string;
  /** Esc, the close button, or a press on the backdrop. */
  onClose: () => void;
  /** `drawer` stands at the side, and fills a phone's screen; `page` takes all the room that there is. */
  placement?: 'center' | 'drawer' | 'page';
  /**
   * The dialog holds somebody's work: a press beside it does nothing, and it stays open until it is no longer rendered,
   * whatever was pressed.
   */
  guarded?: boolean;
  actions?: ReactNode;
  /** Buttons that stay in sight at the bottom. */
  foot?: ReactNode;
  children: ReactNode;
}

/**
 * The `ref` of the field in which typing begins when its dialog opens. React keeps `autoFocus` from the browser and calls
 * `focus()` before the dialog is open.
 */
export const autofocus = (field: HTMLElement | null): void => field?.setAttribute('autofocus', '');

/** A modal dialog for as long as it is rendered. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  placement = 'center',
  guarded = false,
  actions,
  foot,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = useEffectEvent(onClose);

  // Closed before the element leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    let leaving = false;
    const onCancel = (event: Event) => {
      if (!guarded || event.target !== dialog) return;
      event.preventDefault();
      close();
    };
    const onClosed = (event: Event) => {
      if (leaving || event.target !== dialog) return;
      // A gesture can close a dialog in a browser that does not know `closedby`.
      if (guarded) dialog.showModal();
      close();
    };
    // A browser may answer one Esc for several dialogs at once, closes a dialog at the second Esc, whatever the page says
    // to it, and tells of a closing only later, when the next Esc may have come: the key is answered here, at once, and
    // only for the topmost dialog.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      if (!(event.target instanceof Element) || event.target.closest('dialog') !== dialog) return;
      event.preventDefault();
      close();
    };
    dialog.showModal();
    // Without a marked field the browser would focus the first button, which closes the dialog.
    if (!dialog.querySelector('[autofocus]')) dialog.focus();
    dialog.addEventListener('keydown', onKeyDown);
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onClosed);
    return () => {
      leaving = true;
      dialog.close();
      dialog.removeEventListener('keydown', onKeyDown);
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onClosed);
    };
  }, [guarded]);

  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${placement}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      closedby={guarded ? 'none' : 'any'}
    >
      <PaneHead titleId={titleId} title={title} actions={actions} onClose={onClose} />
      <div className="pane-body">{children}</div>
      {foot && (
        <div className="pane-foot" data-keep-clear="">
          {foot}
        </div>
      )}
    </dialog>
  );
}
