import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type LogoDetail, logoDetail } from '../../domain/logo.ts';
import { useSendFile } from '../ui/send-file.ts';
import { useRequest } from '../ui/signed-in-request.ts';

const logoKey = ['logo'] as const;

/** The logo, and the one before it. */
export function useLogo() {
  const send = useRequest();
  return useQuery({
    queryKey: logoKey,
    queryFn: ({ signal }) => send(apiPaths.logo, { schema: logoDetail, signal }),
  });
}

/** Puts the previous logo back, or goes back to the one that comes with the site. */
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
  return (logo: LogoDetail) => void client.setQueryData(logoKey, logo);
}
