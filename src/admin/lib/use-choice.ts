import { startTransition, useCallback, useOptimistic } from 'react';

/**
 * Marks a choice as chosen in the next frame, even if the screen that depends on the choice takes longer to render.
 * React renders that screen in small pieces, and the old screen stays visible until the new one is complete.
 * @returns the choice to mark, and a function that chooses.
 */
export function useChoice<Chosen, Choice extends Chosen>(
  chosen: Chosen,
  onChoose: (choice: Choice) => void | Promise<void>,
): readonly [Chosen, (choice: Choice) => void] {
  const [marked, mark] = useOptimistic(chosen);
  const choose = useCallback(
    (choice: Choice) =>
      startTransition(() => {
        mark(choice);
        return onChoose(choice);
      }),
    [mark, onChoose],
  );
  return [marked, choose];
}
