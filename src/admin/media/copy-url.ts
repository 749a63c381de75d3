import type { MediaRecord } from '../../domain/media.ts';
import { showToast } from '../../lib/toast/toast.ts';

/** Copies a file's whole address, as another site or a mail needs it, and says so. */
export async function copyUrl({ url }: Pick<MediaRecord, 'url'>): Promise<void> {
  const address = new URL(url, window.location.origin).href;
  try {
    await navigator.clipboard.writeText(address);
    showToast({ title: 'URL copied to clipboard!', description: address });
  } catch {
    // No clipboard: an address that is neither https nor this machine, or a browser that forbids it.
    const description = `The browser does not allow it here: ${address}`;
    showToast({ title: 'Could not copy the URL', description, variant: 'destructive' });
  }
}
