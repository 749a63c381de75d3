import { showToast } from '../../lib/toast/toast.ts';
import { IconButton } from './Button.tsx';

/**
 * Copies text and shows a toast.
 * @param what names the text, such as `email address`.
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return <IconButton icon="copy" label={`Copy the ${what}`} onClick={() => void copyText(text, what)} />;
}

/**
 * Copies text to the clipboard, and shows a toast with the result.
 * @param title the title of the toast for a success.
 */
export async function copyText(text: string, what: string, title = `Copied the ${what}`): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title, description: text });
  } catch {
    // The clipboard works only on https and localhost, and only if the browser allows access.
    showToast({
      title: `Couldn’t copy the ${what}`,
      description: `Your browser blocked copying. Copy this text yourself: ${text}`,
      variant: 'destructive',
    });
  }
}
