import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { showToast } from '../../lib/toast/toast.ts';
import { Icon, type IconName } from './Icon.tsx';

/** `destructive` is for buttons that delete something, or that open the dialog for a deletion. */
type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'destructive';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> {
  look?: ButtonLook;
  icon?: IconName;
  /** Replaces the label while the action is running. The button keeps its focus and width. */
  pendingLabel?: string;
  pending?: boolean;
  /** Disables the button without removing the focus. Use only if the page shows the reason. */
  unavailable?: boolean;
  children: ReactNode;
}

/** A button that stays in the tab order while its action is running, and ignores further clicks. */
export function Button({
  look = 'secondary',
  icon,
  pending = false,
  pendingLabel,
  unavailable = false,
  onClick,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const inert = pending || unavailable;
  return (
    <button
      {...rest}
      type={type}
      className={look === 'primary' ? 'button' : `button button-${look}`}
      aria-disabled={inert || undefined}
      data-pending={pending || undefined}
      onClick={(event) => {
        if (inert) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{pending && pendingLabel ? pendingLabel : children}</span>
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled' | 'type'> {
  icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  label: string;
  unavailable?: boolean;
}

export function IconButton({ icon, label, unavailable = false, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      aria-disabled={unavailable || undefined}
      onClick={(event) => {
        if (!unavailable) onClick?.(event);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

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
