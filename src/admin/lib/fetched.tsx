import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

interface Code<Props> {
  default: ComponentType<Props>;
}

/** A component whose code loads soon after the page, when the component is first rendered, or earlier through `load`. */
export type Fetched<Props> = ComponentType<Props & { fallback?: ReactNode }> & {
  /** Loads the code before the component is rendered. */
  load(): Promise<unknown>;
};

/** The time in milliseconds after which the first screen is probably complete. */
const soonMs = 2_000;

/**
 * Creates a component whose code is not part of the first screen's code. Unlike React's `lazy`, the component appears as
 * soon as its code has loaded; React keeps a visible Suspense fallback for at least 0.3 s.
 * @param load imports the module, whose default export is the component.
 * @param soon whether to load the code even if the component is not rendered, unless the user has turned on data saving.
 * @returns a component that renders its `fallback` while the code loads, and throws if loading fails.
 */
export function fetched<Props extends object>(load: () => Promise<Code<Props>>, soon = true): Fetched<Props> {
  let arrived: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (arrived ??= (await load()).default);
  if (soon && !import.meta.env.SSR && !savesData()) {
    // Ignores an error here. When React renders a component whose code is missing, the component loads its code.
    setTimeout(() => void loadOnce().catch(() => undefined), soonMs);
  }

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

function savesData(): boolean {
  return Boolean((navigator as Navigator & { connection?: { readonly saveData?: boolean } }).connection?.saveData);
}
