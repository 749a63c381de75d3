import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PasswordChange, changedPassword, endedSessions, sessionList } from '../../domain/account.ts';
import { type ActivityQuery, activityPage } from '../../domain/activity.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { passkeyList, passkeyOptions, passkeyRecord } from '../../domain/passkey.ts';
import { doneReceipt } from '../../domain/session.ts';
import { queuedMail, siteStatus, testReceipts } from '../../domain/site-status.ts';
import { useRequest } from '../lib/signed-in-request.ts';

const all = ['settings'] as const;
const sessionsKey = [...all, 'sessions'] as const;
const passkeysKey = [...all, 'passkeys'] as const;
const activityKey = [...all, 'activity'] as const;
const statusKey = [...all, 'status'] as const;

/** Refetches data each time its panel opens, because the data may have changed in another browser. */
const fresh = { refetchOnMount: 'always' } as const;

/** Fetches the admin's sessions. */
export function useSessions() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: sessionsKey,
    queryFn: ({ signal }) => send(apiPaths.sessions, { schema: sessionList, signal }),
  });
}

/** Ends one session by its id, or all other sessions. */
export function useEndSessions() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (which: { id: string } | 'others') =>
      send(which === 'others' ? apiPaths.sessions : apiPaths.session(which.id), {
        method: 'DELETE',
        schema: endedSessions,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  });
}

/** Fetches the admin's passkeys. */
export function usePasskeys() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: passkeysKey,
    queryFn: ({ signal }) => send(apiPaths.passkeys, { schema: passkeyList, signal }),
  });
}

/** Asks the browser to create a passkey, and registers the passkey on the server. */
export function useAddPasskey() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: async () => {
      const { startRegistration } = await import('@simplewebauthn/browser');
      const optionsJSON = await send(apiPaths.passkeyOptions, { method: 'POST', schema: passkeyOptions });
      const made = await startRegistration({
        optionsJSON: optionsJSON as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
      });
      return await send(apiPaths.passkeys, { body: made, schema: passkeyRecord });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: all }),
  });
}

export function useRemovePasskey() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (id: string) => send(apiPaths.passkey(id), { method: 'DELETE', schema: doneReceipt }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: (change: PasswordChange) => send(apiPaths.password, { body: change, schema: changedPassword }),
    onSuccess: () => client.invalidateQueries({ queryKey: all }),
  });
}

/** Fetches the activity log in pages, newest first. */
export function useActivity(kind: ActivityQuery['kind']) {
  const send = useRequest();
  return useInfiniteQuery({
    ...fresh,
    queryKey: [...activityKey, kind],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      send(`${apiPaths.activity}?limit=20&kind=${kind}${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`, {
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

/**
 * Tells the server to stop reporting uploaded files that are missing from file storage. The response contains the new
 * site status.
 */
export function useAcceptMissingFiles() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(apiPaths.acceptMissingFiles, { method: 'POST', schema: siteStatus }),
    onSuccess: (status) => {
      client.setQueryData(statusKey, status);
      return client.invalidateQueries({ queryKey: activityKey });
    },
  });
}

/** Sends the failed emails again. The response contains their number, and the site sends them in the background. */
export function useResendMail() {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(apiPaths.resendMail, { method: 'POST', schema: queuedMail }),
    onSuccess: () => Promise.all([activityKey, statusKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
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
    onSuccess: () => Promise.all([activityKey, statusKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
