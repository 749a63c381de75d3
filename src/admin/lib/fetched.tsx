import { useIsFetching } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** Load the code that will probably be needed soon. */
const soon: (() => Promise<unknown>)[] = [];
/** How long no list may be loading, in milliseconds, until the first screen counts as complete. */
const calmMs = 300;

/**
 * Loads the code of the other screens when the first screen is complete, so on a slow device its rows come first. Does
 * nothing if the user has turned on data saving.
 */
export function useCodeSoon(): void {
  const loading = useIsFetching();
  useEffect(() => {
    const { connection } = navigator as Navigator & { connection?: { readonly saveData?: boolean } };
    if (loading > 0 || connection?.saveData) return;
    const timer = setTimeout(() => {
      // Ignores an error here. When React renders a component whose code is missing, the component loads its code.
      for (const load of soon.splice(0)) load().catch(() => undefined);
    }, calmMs);
    return () => clearTimeout(timer);
  }, [loading]);
}

/**
 * Creates a component whose code is not part of the first screen's code. Unlike React's `lazy`, the component appears as
 * soon as its code has loaded; React keeps a visible Suspense fallback for at least 0.3 s.
 * @param load imports the module, whose default export is the component.
 * @param early whether {@link useCodeSoon} loads the code even if the component is not rendered.
 * @returns a component that renders its `fallback` while the code loads, and throws if loading fails. Its `load` loads
 * the code before the component is rendered.
 */
export function fetched<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>, early = true) {
  let arrived: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (arrived ??= (await load()).default);
  if (early) soon.push(loadOnce);

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
