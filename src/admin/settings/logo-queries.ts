import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type LogoDetail, logoDetail } from '../../domain/logo.ts';
import { useSendFile } from '../lib/send-file.ts';
import { type Request, useRequest } from '../lib/signed-in-request.ts';

const logoKey = ['logo'] as const;

const logoQuery = (send: Request) =>
  queryOptions({
    queryKey: logoKey,
    queryFn: ({ signal }) => send(apiPaths.logo, { schema: logoDetail, signal }),
  });

/** Fetches the current logo and the previous logo. */
export function useLogo() {
  return useQuery(logoQuery(useRequest()));
}

/** Restores the previous logo or the site's default logo. */
export function useLogoBack() {
  const send = useRequest();
  const show = useShowLogo();
  return useMutation({
    mutationFn: (to: 'previous' | 'default') =>
      to === 'previous'
        ? send(apiPaths.restoreLogo, { method: 'POST', schema: logoDetail })
        : send(apiPaths.logo, { method: 'DELETE', schema: logoDetail }),
    onSuccess: show,
  });
}

interface NewLogo {
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number) => void;
}

export function useUploadLogo() {
  const sendFile = useSendFile();
  const show = useShowLogo();
  return useMutation({
    mutationFn: ({ file, ...options }: NewLogo) =>
      sendFile(file, { purpose: 'logo', url: apiPaths.logo, field: 'logo', schema: logoDetail, ...options }),
    onSuccess: show,
  });
}

function useShowLogo() {
  const client = useQueryClient();
  return (logo: LogoDetail) => client.setQueryData(logoKey, logo);
}
