import type { Editor } from '@tiptap/core';
import type { IconName } from '../../ui/Icon.tsx';

export interface ToolbarItem {
  readonly id: string;
  readonly label: string;
  /** The button shows the icon or the letters, or the label if both are undefined. */
  readonly icon?: IconName;
  readonly letters?: string;
  /** In the syntax of `aria-keyshortcuts`. On a Mac, Control means the Command key. */
  readonly keys?: string;
  readonly run: (editor: Editor) => void;
  /** Whether the format is active at the cursor. Items without a pressed state omit this function. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly isPossible?: (editor: Editor) => boolean;
}

type Chain = ReturnType<Editor['chain']>;

const command =
  (run: (chain: Chain) => Chain): ToolbarItem['run'] =>
  (editor) =>
    run(editor.chain().focus()).run();

/** A button that switches a format of the selection on and off. @param format the editor's name of the format. */
const toggle = (
  id: string,
  shown: Pick<ToolbarItem, 'label' | 'icon' | 'letters' | 'keys'>,
  format: string,
  run: (chain: Chain) => Chain,
): ToolbarItem => ({ id, ...shown, run: command(run), isOn: (editor) => editor.isActive(format) });

const heading = (level: 2 | 3 | 4): ToolbarItem => ({
  id: `heading-${level}`,
  label: `H${level} heading`,
  letters: `H${level}`,
  keys: `Control+Alt+${level}`,
  run: command((chain) => chain.toggleHeading({ level })),
  isOn: (editor) => editor.isActive('heading', { level }),
});

/** The buttons that format text, in groups. The toolbar adds the buttons that open dialogs. */
export const textItems: readonly (readonly ToolbarItem[])[] = [
  [
    {
      id: 'undo',
      label: 'Undo',
      icon: 'undo',
      keys: 'Control+Z',
      run: command((chain) => chain.undo()),
      isPossible: (editor) => editor.can().undo(),
    },
    {
      id: 'redo',
      label: 'Redo',
      icon: 'redo',
      keys: 'Control+Shift+Z',
      run: command((chain) => chain.redo()),
      isPossible: (editor) => editor.can().redo(),
    },
  ],
  [heading(2), heading(3), heading(4)],
  [
    toggle('bold', { label: 'Bold', letters: 'B', keys: 'Control+B' }, 'bold', (chain) => chain.toggleBold()),
    toggle('italic', { label: 'Italic', letters: 'I', keys: 'Control+I' }, 'italic', (chain) => chain.toggleItalic()),
    toggle('code', { label: 'Code', icon: 'code', keys: 'Control+E' }, 'code', (chain) => chain.toggleCode()),
  ],
  [
    toggle('bullets', { label: 'Bulleted list', icon: 'bullets', keys: 'Control+Shift+8' }, 'bulletList', (chain) =>
      chain.toggleBulletList(),
    ),
    toggle('numbers', { label: 'Numbered list', icon: 'numbers', keys: 'Control+Shift+7' }, 'orderedList', (chain) =>
      chain.toggleOrderedList(),
    ),
    toggle('quote', { label: 'Quote', icon: 'quote', keys: 'Control+Shift+B' }, 'blockquote', (chain) =>
      chain.toggleBlockquote(),
    ),
    toggle('code-block', { label: 'Code block', icon: 'codeBlock', keys: 'Control+Alt+C' }, 'codeBlock', (chain) =>
      chain.toggleCodeBlock(),
    ),
    {
      id: 'table',
      label: 'Table',
      icon: 'table',
      run: command((chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true })),
      isPossible: (editor) => !editor.isActive('table'),
    },
  ],
];

/** The buttons for the table at the cursor. */
export const tableItems: readonly ToolbarItem[] = [
  { id: 'row-after', label: 'Add row', run: command((chain) => chain.addRowAfter()) },
  { id: 'column-after', label: 'Add column', run: command((chain) => chain.addColumnAfter()) },
  { id: 'row-away', label: 'Remove row', run: command((chain) => chain.deleteRow()) },
  { id: 'column-away', label: 'Remove column', run: command((chain) => chain.deleteColumn()) },
  { id: 'head', label: 'Header row', run: command((chain) => chain.toggleHeaderRow()) },
  { id: 'table-away', label: 'Remove table', run: command((chain) => chain.deleteTable()) },
];

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats a shortcut for people: `Ctrl+Shift+8`, or `⌘⇧8` on a Mac. */
export function keysText(keys: string): string {
  if (!isMac()) return keys.replace('Control', 'Ctrl');
  return keys.replace('Control+', '⌘').replace('Alt+', '⌥').replace('Shift+', '⇧');
}
