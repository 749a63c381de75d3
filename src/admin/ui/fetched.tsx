import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

interface Code<Props> {
  default: ComponentType<Props>;
}

/** A component whose code is fetched when it is first shown, or before by `load`. */
export type Fetched<Props> = ComponentType<Props & { fallback?: ReactNode }> & {
  /** Fetches the code before it is shown. */
  load(): Promise<unknown>;
};

/**
 * Makes a component of code that is fetched. In place of React's `lazy`, which holds what has arrived back until its
 * fallback has been seen for 0.3 s.
 * @param load the code, which has the component as its default.
 * @returns it; while its code is on the way it shows its `fallback`, and where the code cannot be had it throws.
 */
export function fetched<Props extends object>(load: () => Promise<Code<Props>>): Fetched<Props> {
  let arrived: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (arrived ??= (await load()).default);

  function FetchedComponent({ fallback, ...props }: Props & { fallback?: ReactNode }): ReactNode {
    const [Shown, show] = useState(() => arrived);
    useEffect(() => {
      if (Shown) return undefined;
      let waiting = true;
      loadOnce().then(
        (component) => {
          if (waiting) show(() => component);
        },
        (error: unknown) => {
          // Thrown where React renders, so that the boundary around it is told.
          if (waiting) {
            show(() => {
              throw error;
            });
          }
        },
      );
      return () => {
        waiting = false;
      };
    }, [Shown]);
    return Shown ? <Shown {...(props as unknown as Props)} /> : fallback;
  }
  return Object.assign(FetchedComponent, { load: loadOnce });
}
