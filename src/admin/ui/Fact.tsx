import type { ReactNode } from 'react';

/** A row of a description list: the label and the value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-h-(--control) grid-cols-[6rem_minmax(0,1fr)] items-center rule-b-rule">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="flex items-center justify-between gap-2 wrap-anywhere not-has-[button]:py-1">{children}</dd>
    </div>
  );
}
