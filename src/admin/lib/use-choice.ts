import { startTransition, useCallback, useOptimistic } from 'react';

/**
 * Shows a choice as selected immediately, even if the screen that depends on the choice takes longer to render. React
 * renders that screen in small pieces, and the old screen stays visible until the new one is complete.
 * @returns the choice to show as selected, and a function that selects another choice.
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
