import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Dialog, type DialogProps, Pane } from '../ui/Dialog.tsx';
import { Loaded, type Loading } from '../ui/Notice.tsx';

interface RecordPaneProps<T> extends Pick<DialogProps, 'title' | 'actions' | 'onClose'> {
  /** The noun for this kind of record, such as `file`. */
  one: string;
  record: Loading<T>;
  /** Explains why the record may not exist, and what to do. */
  missing: string;
  children: (record: T) => ReactNode;
}

/** The open row of a list: a panel next to the list on wide screens, and a dialog on narrow screens. */
export function RecordPane<T>({ one, title, record, missing, children, ...pane }: RecordPaneProps<T>) {
  // The container does not change with the width of the screen, for example when a person turns a tablet, because React
  // would mount its contents again and close the dialogs in it.
  const [Container] = useState(() => (window.matchMedia('(width >= 64rem)').matches ? SidePanel : Dialog));
  return (
    <Container title={title} placement="drawer" {...pane}>
      <Loaded what={`this ${one}`} query={record} missing={missing}>
        {children}
      </Loaded>
    </Container>
  );
}

/** A panel next to a list. The list stays usable. The panel takes the focus when it opens. */
function SidePanel(pane: DialogProps) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();

  useEffect(() => ref.current?.focus({ preventScroll: true }), []);

  return (
    <section
      ref={ref}
      className="side-panel sticky top-0 max-h-dvh overflow-auto overscroll-contain bg-paper rule-s-rule-strong max-xl:fixed max-xl:inset-0 max-xl:z-3 max-xl:max-h-none large:max-h-none"
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <Pane titleId={titleId} {...pane} />
    </section>
  );
}
