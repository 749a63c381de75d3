import { useEffect, useEffectEvent, useState } from 'react';

const storageKey = 'admin-single-keys';

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

/** Whether single characters are shortcuts; the choice is kept on this device (WCAG 2.1.4). */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(stored);
  const choose = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(storageKey, next ? 'on' : 'off');
    } catch {
      // A browser that keeps nothing still has the choice until the page is left.
    }
  };
  return [on, choose];
}

/** What each key does, by `KeyboardEvent.key`. A function that returns false leaves the key to the browser. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent, target: Element) => boolean | void>>;

/**
 * Calls what stands under the pressed key, wherever the focus is, except where the key means something already: in a
 * field, in a dialog that is not the list's own, or together with a modifier.
 */
export function useShortcuts(shortcuts: Shortcuts, singleKeys: boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key.length === 1 && !singleKeys) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    if (target.closest('dialog:not(.dialog-drawer)')) return;
    const act = shortcuts[event.key];
    if (act && act(event, target) !== false) event.preventDefault();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
