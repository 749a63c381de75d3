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

const heading = (level: 2 | 3 | 4): ToolbarItem => ({
  id: `heading-${level}`,
  label: `H${level} heading`,
  letters: `H${level}`,
  keys: `Control+Alt+${level}`,
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
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
      run: (editor) => editor.chain().focus().undo().run(),
      isPossible: (editor) => editor.can().undo(),
    },
    {
      id: 'redo',
      label: 'Redo',
      icon: 'redo',
      keys: 'Control+Shift+Z',
      run: (editor) => editor.chain().focus().redo().run(),
      isPossible: (editor) => editor.can().redo(),
    },
  ],
  [heading(2), heading(3), heading(4)],
  [
    {
      id: 'bold',
      label: 'Bold',
      letters: 'B',
      keys: 'Control+B',
      run: (editor) => editor.chain().focus().toggleBold().run(),
      isOn: (editor) => editor.isActive('bold'),
    },
    {
      id: 'italic',
      label: 'Italic',
      letters: 'I',
      keys: 'Control+I',
      run: (editor) => editor.chain().focus().toggleItalic().run(),
      isOn: (editor) => editor.isActive('italic'),
    },
    {
      id: 'code',
      label: 'Code',
      icon: 'code',
      keys: 'Control+E',
      run: (editor) => editor.chain().focus().toggleCode().run(),
      isOn: (editor) => editor.isActive('code'),
    },
  ],
  [
    {
      id: 'bullets',
      label: 'Bulleted list',
      icon: 'bullets',
      keys: 'Control+Shift+8',
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
      isOn: (editor) => editor.isActive('bulletList'),
    },
    {
      id: 'numbers',
      label: 'Numbered list',
      icon: 'numbers',
      keys: 'Control+Shift+7',
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
      isOn: (editor) => editor.isActive('orderedList'),
    },
    {
      id: 'quote',
      label: 'Quote',
      icon: 'quote',
      keys: 'Control+Shift+B',
      run: (editor) => editor.chain().focus().toggleBlockquote().run(),
      isOn: (editor) => editor.isActive('blockquote'),
    },
    {
      id: 'code-block',
      label: 'Code block',
      icon: 'codeBlock',
      keys: 'Control+Alt+C',
      run: (editor) => editor.chain().focus().toggleCodeBlock().run(),
      isOn: (editor) => editor.isActive('codeBlock'),
    },
    {
      id: 'table',
      label: 'Table',
      icon: 'table',
      run: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
      isPossible: (editor) => !editor.isActive('table'),
    },
  ],
];

/** The buttons for the table at the cursor. */
export const tableItems: readonly ToolbarItem[] = [
  { id: 'row-after', label: 'Add row', run: (editor) => editor.chain().focus().addRowAfter().run() },
  { id: 'column-after', label: 'Add column', run: (editor) => editor.chain().focus().addColumnAfter().run() },
  { id: 'row-away', label: 'Remove row', run: (editor) => editor.chain().focus().deleteRow().run() },
  { id: 'column-away', label: 'Remove column', run: (editor) => editor.chain().focus().deleteColumn().run() },
  { id: 'head', label: 'Header row', run: (editor) => editor.chain().focus().toggleHeaderRow().run() },
  { id: 'table-away', label: 'Remove table', run: (editor) => editor.chain().focus().deleteTable().run() },
];

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats a shortcut for people: `Ctrl+Shift+8`, or `⌘⇧8` on a Mac. */
export function keysText(keys: string): string {
  if (!isMac()) return keys.replace('Control', 'Ctrl');
  return keys.replace('Control+', '⌘').replace('Alt+', '⌥').replace('Shift+', '⇧');
}
