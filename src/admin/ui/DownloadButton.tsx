import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from './Button.tsx';
import { errorText } from '../lib/error-text.ts';
import { useRequest } from '../lib/signed-in-request.ts';

interface DownloadButtonProps {
  /** The URL of a file that the API returns. */
  href: string;
  /** The title of the toast if the download fails. */
  failure: string;
  /** Whether the file requires a recent sign-in. */
  fresh?: boolean;
  look?: 'secondary' | 'quiet';
  title?: string;
  children: ReactNode;
}

/** Downloads a file. Browsers do not report why a download failed, so the button checks the session first. */
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
