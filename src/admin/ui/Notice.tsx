import type { ReactNode } from 'react';

interface NoticeProps {
  /** Screen readers announce `destructive` notices immediately. */
  variant?: 'default' | 'destructive';
  title?: string;
  children: ReactNode;
}

/** A message that stays visible until its cause is gone. */
export function Notice({ variant = 'default', title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${variant}`} role={variant === 'destructive' ? 'alert' : 'note'}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}
