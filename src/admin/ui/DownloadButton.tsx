import type { ReactNode } from 'react';
import { useAct } from '../lib/act.ts';
import { Button } from './Button.tsx';

interface DownloadButtonProps {
  /** The URL of a file that the API returns. */
  href: string;
  /** The JSON body of the request, which is then a POST. */
  body?: object;
  /** The title of the toast if the download fails. */
  failure: string;
  look?: 'secondary' | 'quiet';
  title?: string;
  children: ReactNode;
}

/** The time limit of a download in milliseconds. An export of many submissions is large, and a connection may be slow. */
const downloadMs = 600_000;

/** Downloads a file, or says why the download failed. */
export function DownloadButton({ href, body, failure, look, title, children }: DownloadButtonProps) {
  const download = useAct((send) => send(href, { body, timeoutMs: downloadMs, read: fileOf }), {
    done: saveFile,
    failed: failure,
  });
  return (
    <Button act={download} icon="download" look={look} title={title}>
      {children}
    </Button>
  );
}

const fileOf = async (response: Response) => ({
  file: await response.blob(),
  name: nameIn(response.headers.get('content-disposition') ?? ''),
});

function saveFile({ file, name }: { file: Blob; name: string }): undefined {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Some browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns the name of a file in a `Content-Disposition` header. */
function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? '');
}
