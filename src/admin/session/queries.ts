import { type QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { sessionUser } from '../../domain/session.ts';
import { request } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request(apiPaths.authStatus, { schema: sessionUser, signal }),
});

/** Who is signed in. A 401 is an error like the others; `isSignedOut` tells it apart. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Asks who is signed in, before anything on the page does. */
export function beginSession(client: QueryClient): Promise<unknown> {
  return client.query(sessionQuery);
}

/** After somebody signed in again: they may be another person. */
export function refreshSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

const signInPage = '/admin/sign-in';

/** Ends the session on the server, and then leaves the page with everything that it shows. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => request(apiPaths.logout, { method: 'POST' }),
    onSuccess: () => window.location.replace(signInPage),
    onError: (error) =>
      showToast({ title: 'You are still signed in', description: errorText(error), variant: 'destructive' }),
  });
}
