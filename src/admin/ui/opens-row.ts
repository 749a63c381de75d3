import type { MouseEvent } from 'react';

/**
 * Whether a press on a row of a list opens it here, which the browser then leaves to us: with a key held it does what
 * it always does, and a text that is being marked or a button of the row opens nothing.
 */
export function opensRow(event: MouseEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (event.target instanceof Element && event.target.closest('.cell-tools')) return false;
  event.preventDefault();
  return window.getSelection()?.type !== 'Range';
}
