import type { KeyboardEvent } from 'react';

/**
 * Moves the focus between the buttons of a tab list or a toolbar with the arrow keys, Home and End.
 * @returns the focused button; undefined after another key.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): HTMLElement | undefined {
  // Alt and Left arrow go back, and other modifier keys have other meanings in the browser.
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  const button = buttons.at(to % buttons.length);
  button?.focus();
  return button;
}
