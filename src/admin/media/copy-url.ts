import type { MediaRecord } from '../../domain/media.ts';
import { showToast } from '../../lib/toast/toast.ts';

/** Copies a file's absolute URL, for use in emails and on other sites, and shows a toast. */
export async function copyUrl({ url }: Pick<MediaRecord, 'url'>): Promise<void> {
  const address = new URL(url, window.location.origin).href;
  try {
    await navigator.clipboard.writeText(address);
    showToast({ title: 'URL copied to clipboard!', description: address });
  } catch {
    // The clipboard works only on https and localhost, and only if the browser allows access.
    const description = `Your browser blocked copying. Copy the URL yourself: ${address}`;
    showToast({ title: 'Couldn’t copy the URL', description, variant: 'destructive' });
  }
}
