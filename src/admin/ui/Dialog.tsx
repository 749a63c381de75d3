import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './Button.tsx';

export interface DialogProps {
  title: string;
  /** Called for Esc, the close button and a click on the backdrop. */
  onClose: () => void;
  /** `drawer` is at the side of the screen; `page` is a large dialog. Both fill the screen of a phone. */
  placement?: keyof typeof placements;
  /**
   * For dialogs with unsaved work. A click outside does nothing. Esc only calls `onClose`; the dialog stays open until
   * the parent stops rendering it.
   */
  guarded?: boolean;
  /** Buttons next to the close button. */
  actions?: ReactNode;
  /** Buttons that stay visible at the bottom. */
  foot?: ReactNode;
  children: ReactNode;
}

const placements = {
  center: 'm-auto [border-width:1px] max-h-[calc(100dvh-2rem)] w-[min(30rem,100%-2rem)]',
  drawer:
    'my-0 ms-auto me-0 h-dvh max-h-none w-[min(32rem,100%)] max-w-none [border-width:0_0_0_1px] max-md:w-full max-md:[border:0]',
  page: 'm-auto [border-width:1px] h-[calc(100dvh-2rem)] max-h-none w-[min(76rem,100%-2rem)] flex-col overflow-hidden open:flex max-md:m-0 max-md:h-dvh max-md:w-full max-md:max-w-none max-md:[border:0] low:overflow-auto low:open:block',
} as const;

/**
 * A modal dialog that is open while it is rendered. The browser keeps the focus inside the dialog, and returns the
 * focus afterward.
 */
export function Dialog(props: DialogProps) {
  const { placement = 'center', guarded = false, foot, onClose } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = useEffectEvent(onClose);

  // The cleanup of a layout effect closes the dialog before React removes the element. The browser would not return the
  // focus if the element of an open dialog were removed.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    const onCancel = (event: Event) => {
      if (!guarded || event.target !== dialog) return;
      event.preventDefault();
      close();
    };
    const onClosed = (event: Event) => {
      if (event.target !== dialog) return;
      // In browsers without `closedby`, a back gesture can close a guarded dialog. Opens the dialog again.
      if (guarded) dialog.showModal();
      close();
    };
    // Handles Esc immediately, and only for the topmost dialog. Otherwise, browsers may close several dialogs with one
    // Esc, close a dialog at the second Esc despite `preventDefault`, or fire `close` only after the next Esc.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      if (!(event.target instanceof Element) || event.target.closest('dialog') !== dialog) return;
      event.preventDefault();
      close();
    };
    dialog.showModal();
    // Without an `autofocus` attribute, the browser would focus the first button, which closes the dialog.
    if (!dialog.querySelector('[autofocus]')) dialog.focus();
    const ended = new AbortController();
    dialog.addEventListener('keydown', onKeyDown, ended);
    dialog.addEventListener('cancel', onCancel, ended);
    dialog.addEventListener('close', onClosed, ended);
    return () => {
      ended.abort();
      dialog.close();
    };
  }, [guarded]);

  return (
    <dialog
      ref={ref}
      className={`overscroll-contain bg-paper p-0 [color:inherit] [border-color:var(--color-rule-strong)] backdrop:bg-[rgb(10_20_15/0.45)] ${placements[placement]}`}
      data-placement={placement}
      aria-labelledby={titleId}
      tabIndex={-1}
      closedby={guarded ? 'none' : 'any'}
    >
      <Pane
        {...props}
        titleId={titleId}
        look={placement === 'page' ? 'min-h-0 flex-1 content-start overflow-auto' : ''}
      />
      {foot && (
        <div
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-paper px-5 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom,0px))] rule-t-rule-strong"
          data-keep-clear=""
        >
          {foot}
        </div>
      )}
    </dialog>
  );
}

interface PaneProps extends Pick<DialogProps, 'title' | 'onClose' | 'actions' | 'children'> {
  titleId: string;
  /** Additional class names of the content. */
  look?: string;
}

/** The header and the content of a dialog or a side panel. */
export function Pane({ titleId, title, onClose, actions, look = '', children }: PaneProps) {
  return (
    <>
      <div
        // On a phone, buttons show only icons, to leave space for the title.
        className="sticky top-0 z-2 flex flex-wrap items-center gap-1 bg-paper py-2 ps-5 pe-2 rule-b-rule max-[30rem]:[&_.button-quiet>span]:sr-only low:static"
      >
        <h2 id={titleId} className="min-w-0 flex-[1_0_6rem] py-1 wrap-anywhere [text-box:trim-both_cap_alphabetic]">
          {title}
        </h2>
        {actions}
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </div>
      <div className={`grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-4 pb-6 wrap-anywhere ${look}`}>{children}</div>
    </>
  );
}
