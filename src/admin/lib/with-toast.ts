import { type ToastOptions, showToast } from '../../lib/toast/toast.ts';
import { errorText } from './error-text.ts';

/**
 * Waits for a mutation and shows a toast with the result, even if the component has unmounted. React Query does not
 * call the callbacks given to `mutate` after the component unmounts.
 * @param work the promise of a mutation's `mutateAsync`.
 * @param done returns the toast for the result.
 * @param failed the title of the toast for an error.
 */
export async function withToast<T>(work: Promise<T>, done: (result: T) => ToastOptions, failed: string): Promise<void> {
  try {
    showToast(done(await work));
  } catch (error) {
    showToast({ title: failed, description: errorText(error), variant: 'destructive' });
  }
}
