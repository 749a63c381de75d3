import type { UseMutationResult } from '@tanstack/react-query';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { showToast } from '../../lib/toast/toast.ts';
import { Icon, type IconName } from './Icon.tsx';

/** `destructive` is for buttons that delete something, or that open the dialog for a deletion. */
type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'destructive' | 'icon';

/** The part of a change (`useAct`) that its button needs. */
type Act<Input> = Pick<UseMutationResult<unknown, Error, Input>, 'mutate' | 'isPending' | 'variables'>;

interface ButtonProps<Input> extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> {
  /** The change that the button starts, with its input. While this change runs, the button is `pending`. */
  act?: Act<Input>;
  input?: Input;
  look?: ButtonLook;
  icon?: IconName;
  /** Replaces the label while the action is running. The button keeps its focus and width. */
  pendingLabel?: string;
  pending?: boolean;
  /** Disables the button without removing the focus. Use only if the page shows the reason. */
  unavailable?: boolean;
  children?: ReactNode;
}

const classOf: Partial<Record<ButtonLook, string>> = { primary: 'button', icon: 'icon-button' };

/** A button that stays in the tab order while its action is running, and ignores further clicks. */
export function Button<Input = void>({
  act,
  input,
  look = 'secondary',
  icon,
  pending = act?.isPending && act.variables === input,
  pendingLabel,
  unavailable = false,
  onClick,
  type = 'button',
  children,
  ...rest
}: ButtonProps<Input>) {
  const inert = pending || unavailable;
  return (
    <button
      {...rest}
      type={type}
      className={classOf[look] ?? `button button-${look}`}
      aria-disabled={inert || undefined}
      data-pending={pending || undefined}
      onClick={(event) => {
        if (inert) event.preventDefault();
        else onClick?.(event);
        if (!inert) act?.mutate(input as Input);
      }}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{pending && pendingLabel ? pendingLabel : children}</span>}
    </button>
  );
}

/** @param props.label the accessible name, also shown as a tooltip. */
export function IconButton({ label, ...button }: Omit<ButtonProps<void>, 'children' | 'look'> & { label: string }) {
  return <Button {...button} look="icon" aria-label={label} title={label} />;
}

/**
 * Copies text and shows a toast.
 * @param what names the text, such as `email address`.
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return <IconButton icon="copy" label={`Copy the ${what}`} onClick={() => void copyText({ text, what })} />;
}

interface Copied {
  text: string;
  what: string;
  /** The title of the toast for a success. */
  title?: string;
  /** Whether the text must not appear in the toast. */
  secret?: boolean;
}

/** Copies text to the clipboard, and shows a toast with the result. */
export async function copyText({ text, what, title = `Copied the ${what}`, secret = false }: Copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title, description: secret ? undefined : text });
  } catch {
    // The clipboard works only on https and localhost, and only if the browser allows access.
    showToast({
      title: `Couldn’t copy the ${what}`,
      description: `Your browser blocked copying. Select and copy the text yourself${secret ? '.' : `: ${text}`}`,
      variant: 'destructive',
    });
  }
}
