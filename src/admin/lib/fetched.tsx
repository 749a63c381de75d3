import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

interface Code<Props> {
  default: ComponentType<Props>;
}

/** A component whose code loads when the component is first rendered, or earlier through `load`. */
export type Fetched<Props> = ComponentType<Props & { fallback?: ReactNode }> & {
  /** Loads the code before the component is rendered. */
  load(): Promise<unknown>;
};

/**
 * Creates a component whose code loads on demand. Unlike React's `lazy`, the component appears as soon as its code has
 * loaded; React keeps a visible Suspense fallback for at least 0.3 s.
 * @param load imports the module, whose default export is the component.
 * @returns a component that renders its `fallback` while the code loads, and throws if loading fails.
 */
export function fetched<Props extends object>(load: () => Promise<Code<Props>>): Fetched<Props> {
  let arrived: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (arrived ??= (await load()).default);

  function FetchedComponent({ fallback, ...props }: Props & { fallback?: ReactNode }): ReactNode {
    const [Shown, show] = useState(() => arrived);
    useEffect(() => {
      if (Shown) return;
      loadOnce().then(
        (component) => show(() => component),
        // Thrown inside a state update, so the nearest error boundary catches the error.
        (error: unknown) =>
          show(() => {
            throw error;
          }),
      );
    }, [Shown]);
    return Shown ? <Shown {...(props as unknown as Props)} /> : fallback;
  }
  return Object.assign(FetchedComponent, { load: loadOnce });
}

/**
 * Loads code that will probably be needed soon, one piece after the other, while the browser is idle. Does nothing if
 * the user has turned on data saving.
 * @returns a function that stops the loading.
 */
export function loadWhenIdle(pieces: readonly { load(): Promise<unknown> }[]): () => void {
  const { connection } = navigator as Navigator & { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return () => undefined;
  let ended = false;
  const loadNext = async ([next, ...later]: typeof pieces): Promise<void> => {
    if (!next || ended) return;
    // Ignores an error here. When React renders a component whose code is missing, the component loads its code.
    await next.load().catch(() => undefined);
    whenIdle(() => void loadNext(later));
  };
  whenIdle(() => void loadNext(pieces));
  return () => {
    ended = true;
  };
}

/** Runs work when the browser is idle. Safari has no `requestIdleCallback`, so a timeout replaces it there. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 500);
}
