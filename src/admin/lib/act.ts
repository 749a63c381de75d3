import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ToastOptions, showToast } from '../../lib/toast/toast.ts';
import { errorText } from './error-text.ts';
import { type Request, isSignedOut, useRequest } from './signed-in-request.ts';

interface ActOptions<Input, Result> {
  /** Called after a success. Returns the toast for the result, if any; `undo` adds an Undo button. */
  done?: (result: Result, input: Input) => ToastOptions | undefined;
  /** The title of the toast for an error. Without a title, the component shows the error. */
  failed?: string | ((input: Input, error: Error) => string);
  /** The queries to fetch again, whether or not the change succeeded. */
  refresh?: QueryKey;
  /** Shows the expected result in these queries before the server responds. Returns a function that reverts this. */
  expect?: (input: Input) => () => void;
}

/** Sends a change to the API, and shows the result in a toast, even if the component has unmounted. */
export function useAct<Input = void, Result = unknown>(
  change: (send: Request, input: Input) => Promise<Result>,
  { done, failed, refresh, expect }: ActOptions<Input, Result> = {},
) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    ...(refresh && { mutationKey: refresh }),
    mutationFn: (input: Input) => change(send, input),
    onMutate: async (input) => {
      if (expect && refresh) await client.cancelQueries({ queryKey: refresh });
      return expect?.(input);
    },
    onSuccess: (result, input) => {
      const toast = done?.(result, input);
      if (toast) showToast(toast);
    },
    onError: (error, input, revert) => {
      revert?.();
      if (!failed) return;
      const title = typeof failed === 'string' ? failed : failed(input, error);
      showToast({ title, description: errorText(error), variant: 'destructive' });
    },
    onSettled: (_result, error) => {
      // The answer of an earlier change must not revert what a later change expects. An admin who chose not to sign in
      // should not be asked again immediately.
      if (!refresh || client.isMutating({ mutationKey: refresh }) > 1 || isSignedOut(error)) return;
      void client.invalidateQueries({ queryKey: refresh });
    },
  });
}
