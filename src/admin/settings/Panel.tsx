import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { ZodMiniType } from 'zod/mini';
import { type ActOptions, type Send, useAct, useGet } from '../lib/act.ts';
import { Loaded, type Loading } from '../ui/Notice.tsx';

interface PanelProps {
  title: string;
  /** One or two sentences about the setting. */
  about: ReactNode;
  /** The level of the title: below the heading of a group, or of the screen. */
  level?: 'h2' | 'h3';
  /** The URL fragment that leads to this panel. */
  anchor?: string;
  children: ReactNode;
}

/** One setting, with its title on the left on wide screens. */
export function Panel({ title, about, level: Heading = 'h3', anchor, children }: PanelProps) {
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
      tabIndex={-1}
    >
      <div className="grid content-start gap-1.5 text-ink-soft">
        <Heading id={id} className="title-lg/[1.15] text-ink">
          {title}
        </Heading>
        <p className="max-w-136">{about}</p>
      </div>
      <div className="grid min-w-0 content-start justify-items-start gap-4 *:max-w-full">{children}</div>
    </section>
  );
}

interface RowsProps<T> {
  /** The accessible name of the list. */
  label: string;
  /** What is loaded, such as `your sessions`. */
  what: string;
  query: Loading<T>;
  children: (data: T) => ReactNode;
}

/** A setting's data as a list of rows. */
export function Rows<T>({ label, what, query, children }: RowsProps<T>) {
  return (
    <Loaded what={what} query={query}>
      {(data) => (
        <ul className="rows" aria-label={label}>
          {children(data)}
        </ul>
      )}
    </Loaded>
  );
}

interface RowProps {
  name: string;
  /** A word that marks the row. */
  tag?: string | false;
  about: ReactNode;
  /** Buttons. */
  children: ReactNode;
}

/** A row of a setting's list: its name, what there is to know, and what can be done with it. */
export function Row({ name, tag, about, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const { current } = row;
    return () => {
      // The row was removed with its buttons, one of which may have the focus.
      if (current?.contains(document.activeElement)) current.closest('section')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <li ref={row} className="not-has-[.actions]:flex-nowrap">
      <div className="min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-3 semibold">
          {name}
          {tag && <span className="bg-highlight px-2 py-px text-xs">{tag}</span>}
        </p>
        <p className="text-ink-soft">{about}</p>
      </div>
      {children}
    </li>
  );
}

/** The first part of the key of every panel's data. */
export const settingsKey = ['settings'] as const;

/** Reads the data of a panel each time the panel opens, because the data may have changed in another browser. */
export const usePanel = <T,>(path: string, schema: ZodMiniType<T>) =>
  useGet(settingsKey, path, schema, { refetchOnMount: 'always' });

/** Changes a setting, and then reads the data of all panels again, because the activity log changes as well. */
export const useChange = <Input = void, T = unknown>(change: Send<Input, T>, options: ActOptions<Input, T> = {}) =>
  useAct(change, { ...options, refresh: settingsKey });
