import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from './Button.tsx';
import { errorText } from './error-text.ts';
import { useRequest } from './signed-in-request.ts';

interface DownloadButtonProps {
  /** A file of the API. */
  href: string;
  /** Title of the notice where it could not be saved. */
  failure: string;
  /** The file needs a recent sign-in. */
  fresh?: boolean;
  look?: 'secondary' | 'quiet';
  title?: string;
  children: ReactNode;
}

/**
 * Saves a file, while it arrives, as the browser saves files. A browser cannot tell why a download was refused, so the
 * session is looked at first.
 */
export function DownloadButton({ href, failure, fresh = false, look, title, children }: DownloadButtonProps) {
  const send = useRequest();
  const download = useMutation({
    mutationFn: () => send(fresh ? apiPaths.authFresh : apiPaths.authStatus),
    onSuccess: () => {
      const link = document.createElement('a');
      link.href = href;
      link.download = '';
      link.click();
    },
    onError: (error) => showToast({ title: failure, description: errorText(error), variant: 'destructive' }),
  });
  return (
    <Button icon="download" look={look} title={title} onClick={() => download.mutate()} pending={download.isPending}>
      {children}
    </Button>
  );
}
