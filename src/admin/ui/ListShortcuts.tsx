import { type Shortcuts, useShortcuts, useSingleKeys } from '../lib/use-shortcuts.ts';
import type { ShownList } from '../lib/use-list.ts';
import { type Shortcut, ShortcutSheet } from './ShortcutSheet.tsx';

interface ListShortcutsProps {
  list: ShownList;
  /** The list's own shortcuts, in addition to the shortcuts of every list. */
  keys: Shortcuts;
  /** The rows of the {@link ShortcutSheet}. */
  shortcuts: readonly Shortcut[];
}

/** Registers the keyboard shortcuts of a list, and shows a dialog that describes them when the admin presses `?`. */
export function ListShortcuts({ list, keys, shortcuts }: ListShortcutsProps) {
  const [singleKeys, setSingleKeys] = useSingleKeys();
  useShortcuts(
    {
      ...list.navigation.keys,
      ...keys,
      '/': () => list.searchField.current?.focus(),
      '?': () => list.showShortcuts(true),
    },
    singleKeys,
  );
  return (
    list.shortcutsShown && (
      <ShortcutSheet
        shortcuts={shortcuts}
        singleKeys={singleKeys}
        onSingleKeys={setSingleKeys}
        onClose={() => list.showShortcuts(false)}
      />
    )
  );
}
