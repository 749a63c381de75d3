import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PasswordChange, changedPassword, endedSessions, sessionList } from '../../domain/account.ts';
import { activityPage } from '../../domain/activity.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { passkeyList, passkeyOptions, passkeyRecord } from '../../domain/passkey.ts';
import { doneReceipt } from '../../domain/session.ts';
import { queuedMail, siteStatus, testReceipts } from '../../domain/site-status.ts';
import type { ZodMiniType } from 'zod/mini';
import { type Request, useRequest } from '../lib/signed-in-request.ts';

const all = ['settings'] as const;
const activityKey = [...all, 'activity'] as const;
const statusKey = [...all, 'status'] as const;

/** Refetches data each time its panel opens, because the data may have changed in another browser. */
const fresh = { refetchOnMount: 'always' } as const;

/** Fetches the data of a panel. */
function usePanel<T>(queryKey: readonly string[], path: string, schema: ZodMiniType<T>) {
  const send = useRequest();
  return useQuery({ ...fresh, queryKey, queryFn: ({ signal }) => send(path, { schema, signal }) });
}

/** Changes a setting, and then fetches the data of all panels again. */
function useChange<Input, T>(change: (send: Request, input: Input) => Promise<T>) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (input: Input) => change(send, input),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  });
}

export const useSessions = () => usePanel([...all, 'sessions'], apiPaths.sessions, sessionList);

/** Ends one session by its id; without an id, all other sessions. */
export const useEndSessions = () =>
  useChange((send, id: string | undefined) =>
    send(id === undefined ? apiPaths.sessions : apiPaths.session(id), { method: 'DELETE', schema: endedSessions }),
  );

export const usePasskeys = () => usePanel([...all, 'passkeys'], apiPaths.passkeys, passkeyList);

/** Asks the browser to create a passkey, and registers the passkey on the server. */
export const useAddPasskey = () =>
  useChange(async (send) => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const options = await send(apiPaths.passkeyOptions, { method: 'POST', schema: passkeyOptions });
    const body = await startRegistration({
      optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
    });
    return await send(apiPaths.passkeys, { body, schema: passkeyRecord });
  });

export const useRemovePasskey = () =>
  useChange((send, id: string) => send(apiPaths.passkey(id), { method: 'DELETE', schema: doneReceipt }));

export const useChangePassword = () =>
  useChange((send, body: PasswordChange) => send(apiPaths.password, { body, schema: changedPassword }));

/** Fetches the activity log in pages, newest first. */
export function useActivity() {
  const send = useRequest();
  return useInfiniteQuery({
    ...fresh,
    queryKey: activityKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      send(`${apiPaths.activity}?limit=20${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`, {
        schema: activityPage,
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Fetches the status of each part of the site. */
export function useSiteStatus() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: statusKey,
    queryFn: ({ signal }) => send(apiPaths.siteStatus, { schema: siteStatus, signal }),
  });
}

/** Sends the failed emails again. The response contains their number, and the site sends them in the background. */
export function useResendMail() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(apiPaths.resendMail, { method: 'POST', schema: queuedMail }),
    onSuccess: () => client.invalidateQueries({ queryKey: all }),
  });
}

/**
 * Sends a test email to each of the firm's email addresses, or a test message to the chat. The request ends after every
 * receiver has responded.
 */
export function useTestSend(path: typeof apiPaths.testMail | typeof apiPaths.testWebhook) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(path, { method: 'POST', schema: testReceipts }),
    onSuccess: () => client.invalidateQueries({ queryKey: all }),
  });
}
