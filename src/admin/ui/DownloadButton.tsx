import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { ApiError, notReached } from '../../lib/api.ts';
import { useAct } from '../lib/act.ts';
import { Button } from './Button.tsx';

interface DownloadButtonProps {
  /** The URL of a file that the API returns. */
  href: string;
  /** The JSON body of the request, which is then a POST. */
  body?: object;
  /** The title of the toast if the download fails. */
  failure: string;
  /** Whether the file requires a recent sign-in. */
  fresh?: boolean;
  look?: 'secondary' | 'quiet';
  title?: string;
  children: ReactNode;
}

/** Downloads a file, or says why the download failed. */
export function DownloadButton({ href, body, failure, fresh = false, look, title, children }: DownloadButtonProps) {
  const download = useAct(
    async (send) => {
      // If the session ended, this request asks the admin to sign in.
      await send(fresh ? apiPaths.authFresh : apiPaths.authStatus);
      const headers = { 'content-type': 'application/json' };
      const posted = body && { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(href, posted).catch((error: unknown) => {
        throw notReached(error);
      });
      if (!response.ok) throw new ApiError(response, await response.text());
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = nameIn(response.headers.get('content-disposition') ?? '');
      link.click();
      // Some browsers read the file after the click.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    { failed: failure },
  );
  return (
    <Button icon="download" look={look} title={title} onClick={() => download.mutate()} pending={download.isPending}>
      {children}
    </Button>
  );
}

/** Returns the name of a file in a `Content-Disposition` header. */
function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? '');
}
