import type { ToastOptions } from '../../lib/toast/toast.ts';

/** The part of a toast that offers Undo. The toast stays open longer than others. */
export function undo(onSelect: () => void): Pick<ToastOptions, 'action' | 'durationMs'> {
  return { action: { label: 'Undo', onSelect }, durationMs: 10_000 };
}
