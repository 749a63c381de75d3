import {
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type * as z from 'zod/mini';
import type { Publishing } from '../../domain/site/section.ts';
import { ApiError, NetworkError } from '../../lib/request/api.ts';
import { type ToastHandle, type ToastOptions, showToast } from '../../lib/toast/toast.ts';
import { type Request, isSignedOut, useRequest } from './signed-in-request.ts';

/**
 * Reads data from the API.
 * @param key the query's key without its last part, which is the path.
 */
export function useGet<T, Shown = T>(
  key: readonly string[],
  path: string,
  schema: z.core.$ZodType<T>,
  options: Omit<UseQueryOptions<T, Error, Shown>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Shown> {
  const send = useRequest();
  return useQuery({ queryKey: [...key, path], queryFn: ({ signal }) => send(path, { schema, signal }), ...options });
}

/** How long a toast with Undo stays open, in milliseconds. */
const undoMs = 10_000;

export interface ActOptions<Input, Result> {
  /** Called after a success. Returns the toast for the result, if any; `undo` adds an Undo button. */
  done?: (result: Result, input: Input) => ToastOptions | undefined;
  /** The title of the toast for an error. Without a title, the component shows the error. */
  failed?: string | ((input: Input, error: Error) => string);
  /** The toast for an error has a "Try again" button, because the button that began the change is gone, such as Undo. */
  retry?: true;
  /** The queries to fetch again, whether or not the change succeeded. */
  refresh?: QueryKey;
  /** Shows the expected result in these queries before the server responds. Returns a function that reverts this. */
  expect?: (input: Input) => () => void;
}

export type Send<Input, Result> = (send: Request, input: Input) => Promise<Result>;

/** Sends a change to the API, and shows the result in a toast, even if the component has unmounted. */
export function useAct<Input = void, Result = unknown>(
  change: Send<Input, Result>,
  { done, failed, retry, refresh, expect }: ActOptions<Input, Result> = {},
) {
  const client = useQueryClient();
  const send = useRequest();
  const shown = useRef<ToastHandle>(undefined);
  const mutation = useMutation({
    ...(refresh && { mutationKey: refresh }),
    mutationFn: (input: Input) => change(send, input),
    onMutate: async (input) => {
      // An earlier success could cover an error that the component shows.
      shown.current?.dismiss();
      if (expect && refresh) await client.cancelQueries({ queryKey: refresh });
      return expect?.(input);
    },
    onSuccess: (result, input) => {
      const toast = done?.(result, input);
      if (toast) shown.current = showToast(toast);
    },
    onError: (error, input, revert) => {
      revert?.();
      if (!failed) return;
      const title = typeof failed === 'string' ? failed : failed(input, error);
      if (!retry) return showFailure(title, error);
      const action = { label: 'Try again', onSelect: () => mutation.mutate(input) };
      showToast({ title, description: errorText(error), variant: 'destructive', action, durationMs: undoMs });
    },
    onSettled: (_result, error) => {
      // The answer of an earlier change must not revert what a later change expects. An admin who chose not to sign in
      // should not be asked again immediately.
      if (!refresh || client.isMutating({ mutationKey: refresh }) > 1 || isSignedOut(error)) return;
      void client.invalidateQueries({ queryKey: refresh });
    },
  });
  return mutation;
}

/** Shows an error in a toast. `otherwise` is the text for a response without a message ({@link errorText}). */
export function showFailure(title: string, error: unknown, otherwise?: string): void {
  showToast({ title, description: errorText(error, otherwise), variant: 'destructive' });
}

/**
 * Returns the message to show for an error: the server's own message, if the server sent one.
 * @param otherwise the message to return if the response contains no short plain-text message.
 */
export function errorText(error: unknown, otherwise?: string): string {
  if (error instanceof ApiError) {
    return error.reason ?? otherwise ?? `The server returned error ${error.status}. Try again.`;
  }
  if (error instanceof NetworkError) return error.message;
  return 'Something went wrong. Reload the page.';
}

/** The part of a toast that offers Undo. The toast stays open longer than others. */
export function undo(onSelect: () => void): Pick<ToastOptions, 'action' | 'durationMs'> {
  return { action: { label: 'Undo', onSelect }, durationMs: undoMs };
}

const arrivals: Record<Publishing, string> = {
  server: 'Visitors see the change within a few seconds.',
  build:
    'Visitors see the change now. Search engines and browsers without JavaScript get the old text until Netlify has rebuilt the site, which can take 15 minutes.',
  deploy:
    'Visitors see the change now. Search engines and browsers without JavaScript get the old text until the person who manages the server deploys the site again.',
};

/** The part of a toast that says when visitors see a saved change, and opens the page that shows the change. */
export function publicPage(href: string, publishing: Publishing): Pick<ToastOptions, 'note' | 'action' | 'durationMs'> {
  return {
    note: arrivals[publishing],
    action: { label: 'View page', onSelect: () => window.open(href, '_blank', 'noopener') },
    durationMs: 10_000,
  };
}
