import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { sessionUser, signInPage } from '../../domain/account/session.ts';
import { request } from '../../lib/request/api.ts';
import { showFailure } from '../lib/act.ts';
import { firstRequest } from '../lib/signed-in-request.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => firstRequest(apiPaths.authStatus, { schema: sessionUser, signal }),
});

/** Returns the signed-in admin. A 401 response is an error; `isSignedOut` detects it. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Ends the session on the server. Then replaces the page, so none of its data stays visible. */
export function useSignOut() {
  const openId = useSession().data?.openId;
  return useMutation({
    mutationFn: () => request(apiPaths.logout, { method: 'POST' }),
    // The page of this fragment has a link to sign in with a company account.
    onSuccess: () => window.location.replace(openId ? `${signInPage}#signed-out` : signInPage),
    onError: (error) => showFailure('You are still signed in', error),
  });
}
