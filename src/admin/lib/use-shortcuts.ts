import { useEffectEvent, useLayoutEffect } from 'react';

/** Handlers by `KeyboardEvent.key`. If a handler returns false, the browser handles the key. */
export type Shortcuts = Readonly<Record<string, () => boolean | void>>;

/**
 * Calls the handler of the pressed key. Ignores keys pressed with Ctrl, Alt or Cmd, in a field, or while a dialog other
 * than a drawer is open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    if (document.querySelector('dialog[open]:not(.dialog-drawer)')) return;
    const act = shortcuts[event.key];
    if (act && act() !== false) event.preventDefault();
  });

  // Not `useEffect`, which may run after the list appears and miss the first key.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
