import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

const looks = { ink: 'text-ink', soft: 'text-ink-soft', alert: 'semibold text-alert' } as const;

interface BadgeProps {
  icon: IconName;
  /** Shows the icon in the accent color, for a success. */
  accent?: boolean;
  look?: keyof typeof looks;
  children: ReactNode;
}

/** A status as an icon and a word. */
export function Badge({ icon, accent, look = 'soft', children }: BadgeProps) {
  return (
    <span className={`flex items-center gap-1.5 ${looks[look]}`}>
      <Icon name={icon} accent={accent} />
      <span>{children}</span>
    </span>
  );
}
