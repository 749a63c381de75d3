import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PasswordChange, changedPassword, endedSessions, sessionList } from '../../domain/account.ts';
import { type ActivityQuery, activityPage } from '../../domain/activity.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { passkeyList, passkeyOptions, passkeyRecord } from '../../domain/passkey.ts';
import { doneReceipt } from '../../domain/session.ts';
import { siteStatus, testReceipts } from '../../domain/site-status.ts';
import { useRequest } from '../ui/signed-in-request.ts';

const all = ['settings'] as const;
const sessionsKey = [...all, 'sessions'] as const;
const passkeysKey = [...all, 'passkeys'] as const;
const activityKey = [...all, 'activity'] as const;
const statusKey = [...all, 'status'] as const;

/** What others change while one looks elsewhere is asked for each time that it is shown. */
const fresh = { refetchOnMount: 'always' } as const;

/** Where one is signed in. */
export function useSessions() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: sessionsKey,
    queryFn: ({ signal }) => send(apiPaths.sessions, { schema: sessionList, signal }),
  });
}

/** Ends one session by its id, or all others. */
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

/** One's passkeys. */
export function usePasskeys() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: passkeysKey,
    queryFn: ({ signal }) => send(apiPaths.passkeys, { schema: passkeyList, signal }),
  });
}

/** Has the browser make a passkey, and adds it. */
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

/** What admins did, the newest first, page after page. */
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

/** How the site is. */
export function useSiteStatus() {
  const send = useRequest();
  return useQuery({
    ...fresh,
    queryKey: statusKey,
    queryFn: ({ signal }) => send(apiPaths.siteStatus, { schema: siteStatus, signal }),
  });
}

/** Accepts that uploaded files are missing; the answer is the status after it. */
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

/** Sends an email to every address of the firm, or a message to the chat; the answer comes after the receiver's. */
export function useTestSend(path: typeof apiPaths.testMail | typeof apiPaths.testWebhook) {
  const client = useQueryClient();
  const send = useRequest();
  return useMutation({
    mutationFn: () => send(path, { method: 'POST', schema: testReceipts }),
    onSuccess: () => Promise.all([activityKey, statusKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
