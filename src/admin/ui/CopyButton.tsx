import { showToast } from '../../lib/toast/toast.ts';
import { IconButton } from './Button.tsx';

/** Copies a text and says so. @param what what it is, as in 'Copy the email address'. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return <IconButton icon="copy" label={`Copy the ${what}`} onClick={() => void copyText(text, what)} />;
}

/** Copies a text to the clipboard and says so, or why not. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: `Copied the ${what}`, description: text });
  } catch {
    // No clipboard: an address that is neither https nor this machine, or a browser that forbids it.
    showToast({
      title: `Could not copy the ${what}`,
      description: `The browser does not allow it here: ${text}`,
      variant: 'destructive',
    });
  }
}
