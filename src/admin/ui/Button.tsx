import type { ButtonHTMLAttributes, ReactNode } from 'react';
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
