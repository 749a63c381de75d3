import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Loaded, type Loading } from '../ui/Notice.tsx';

interface PanelProps {
  title: string;
  /** One or two sentences about the setting. */
  about: ReactNode;
  /** The URL fragment that leads to this panel. */
  anchor?: string;
  children: ReactNode;
}

/** One setting, with its title on the left on wide screens. */
export function Panel({ title, about, anchor, children }: PanelProps) {
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
      className="grid gap-x-12 gap-y-4 pt-6 pb-8 not-last:rule-b-rule @min-[48rem]/settings:grid-cols-[minmax(14rem,20rem)_minmax(0,44rem)]"
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

interface RowsProps<T> {
  /** The accessible name of the list. */
  label: string;
  /** What is loaded, such as `your sessions`, and the number of placeholders. */
  what: string;
  placeholders: number;
  query: Loading<T>;
  children: (data: T) => ReactNode;
}

/** A setting's data as a list of rows. */
export function Rows<T>({ label, what, placeholders, query, children }: RowsProps<T>) {
  const skeleton = (
    <div className="rows" aria-hidden="true">
      {Array.from({ length: placeholders }, (_, index) => (
        <div key={index}>
          <span className="skeleton skeleton-text w-3/5" />
        </div>
      ))}
    </div>
  );
  return (
    <Loaded what={what} query={query} skeleton={skeleton}>
      {(data) => (
        <ul className="rows" aria-label={label}>
          {children(data)}
        </ul>
      )}
    </Loaded>
  );
}
