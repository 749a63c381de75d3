import { type QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { sessionUser } from '../../domain/session.ts';
import { request } from '../../lib/api.ts';
import { showFailure } from '../lib/act.ts';
import { firstRequest } from '../lib/signed-in-request.ts';

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => firstRequest(apiPaths.authStatus, { schema: sessionUser, signal }),
});

/** Returns the signed-in admin. A 401 response is an error; `isSignedOut` detects it. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Fetches the session before the page renders. */
export function beginSession(client: QueryClient): Promise<unknown> {
  return client.query(sessionQuery);
}

/** Refetches the session after a sign-in, because another person may have signed in. */
export function refreshSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

const signInPage = '/admin/sign-in';

/** Ends the session on the server. Then replaces the page, so none of its data stays visible. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => request(apiPaths.logout, { method: 'POST' }),
    onSuccess: () => window.location.replace(signInPage),
    onError: (error) => showFailure('You are still signed in', error),
  });
}
