import type { ReactNode } from 'react';

interface NoticeProps {
  /** `destructive` is announced at once. */
  variant?: 'default' | 'destructive';
  title?: string;
  children: ReactNode;
}

/** A message that stays where it is until its reason is gone. */
export function Notice({ variant = 'default', title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${variant}`} role={variant === 'destructive' ? 'alert' : 'note'}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}
