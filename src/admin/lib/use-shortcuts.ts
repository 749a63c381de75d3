import { useEffectEvent, useLayoutEffect, useState } from 'react';

const storageKey = 'admin-single-keys';

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

/** Returns whether single-character shortcuts are on, and a setter (WCAG 2.1.4). The browser stores the choice. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(stored);
  const choose = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(storageKey, next ? 'on' : 'off');
    } catch {
      // If storage is unavailable, the choice lasts until the page is closed.
    }
  };
  return [on, choose];
}

/** Handlers by `KeyboardEvent.key`. If a handler returns false, the browser handles the key. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent, target: Element) => boolean | void>>;

/**
 * Calls the handler of the pressed key. Ignores keys pressed with Ctrl, Alt or Cmd, in a field, or in a dialog other
 * than a drawer.
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

  // Not `useEffect`, which may run after the list appears and miss the first key.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
