import { type ToastOptions, showToast } from '../../lib/toast/toast.ts';
import { errorText } from './error-text.ts';

/**
 * Waits for work and says how it went, also where the screen that began it is gone by then: callbacks given to a mutation's
 * `mutate` end with their screen.
 * @param work a mutation's `mutateAsync`, begun.
 * @param done what is said of its result.
 * @param failed the title over the reason.
 */
export async function withNotice<T>(
  work: Promise<T>,
  done: (result: T) => ToastOptions,
  failed: string,
): Promise<void> {
  try {
    showToast(done(await work));
  } catch (error) {
    showToast({ title: failed, description: errorText(error), variant: 'destructive' });
  }
}
