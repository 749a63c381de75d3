import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

/** `destructive` removes something, or leads to it. */
type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'destructive';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> {
  look?: ButtonLook;
  icon?: IconName;
  /** Shown in place of the label while the button's work is under way; the button keeps the focus and its width. */
  pendingLabel?: string;
  pending?: boolean;
  /** Why nothing happens just now is said elsewhere; the button stays focusable. */
  unavailable?: boolean;
  children: ReactNode;
}

/** A button that keeps its place in the tab order while it is pending, and then ignores further presses. */
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
      className={`button button-${look}`}
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
  /** The button's name; also shown as a tooltip. */
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
