import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useState } from 'react';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { moveFocus } from '../../ui/move-focus.ts';

type Chain = ReturnType<Editor['chain']>;

interface ToolbarItem {
  readonly label: string;
  /** The button shows the icon or the letters, or the label if both are undefined. */
  readonly icon?: IconName;
  readonly letters?: string;
  /** In the syntax of `aria-keyshortcuts`. On a Mac, Control means the Command key. */
  readonly keys?: string;
  /** Adds the commands of a button that changes the text. */
  readonly change?: (chain: Chain) => Chain;
  /** The action of every other button. */
  readonly run?: () => void;
  /** The editor's name of the format that the button switches on and off, and the format's attributes. */
  readonly format?: readonly [name: string, attributes?: Readonly<Record<string, unknown>>];
  readonly isPossible?: (editor: Editor) => boolean;
}

const heading = (level: 2 | 3 | 4): ToolbarItem => ({
  label: `H${level} heading`,
  letters: `H${level}`,
  keys: `Control+Alt+${level}`,
  change: (chain) => chain.toggleHeading({ level }),
  format: ['heading', { level }],
});

/** A button that switches a format of the selection on and off. */
const toggle = (
  label: string,
  shown: Pick<ToolbarItem, 'icon' | 'letters'>,
  keys: string,
  format: string,
  change: (chain: Chain) => Chain,
): ToolbarItem => ({ label, ...shown, keys: `Control+${keys}`, format: [format], change });

/** The buttons that format text, in groups. The toolbar adds the buttons that open dialogs. */
const textItems: readonly (readonly ToolbarItem[])[] = [
  [
    {
      label: 'Undo',
      icon: 'undo',
      keys: 'Control+Z',
      change: (chain) => chain.undo(),
      isPossible: (at) => at.can().undo(),
    },
    {
      label: 'Redo',
      icon: 'redo',
      keys: 'Control+Shift+Z',
      change: (chain) => chain.redo(),
      isPossible: (at) => at.can().redo(),
    },
  ],
  [heading(2), heading(3), heading(4)],
  [
    toggle('Bold', { letters: 'B' }, 'B', 'bold', (chain) => chain.toggleBold()),
    toggle('Italic', { letters: 'I' }, 'I', 'italic', (chain) => chain.toggleItalic()),
    toggle('Strikethrough', { letters: 'S' }, 'Shift+S', 'strike', (chain) => chain.toggleStrike()),
    toggle('Code', { icon: 'code' }, 'E', 'code', (chain) => chain.toggleCode()),
  ],
  [
    toggle('Bulleted list', { icon: 'bullets' }, 'Shift+8', 'bulletList', (chain) => chain.toggleBulletList()),
    toggle('Numbered list', { icon: 'numbers' }, 'Shift+7', 'orderedList', (chain) => chain.toggleOrderedList()),
    toggle('Quote', { icon: 'quote' }, 'Shift+B', 'blockquote', (chain) => chain.toggleBlockquote()),
    toggle('Code block', { icon: 'codeBlock' }, 'Alt+C', 'codeBlock', (chain) => chain.toggleCodeBlock()),
    {
      label: 'Table',
      icon: 'table',
      change: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
      isPossible: (at) => !at.isActive('table'),
    },
  ],
];

/** The buttons for the table at the cursor. */
const tableItems: readonly ToolbarItem[] = [
  { label: 'Add row', change: (chain) => chain.addRowAfter() },
  { label: 'Add column', change: (chain) => chain.addColumnAfter() },
  { label: 'Remove row', change: (chain) => chain.deleteRow() },
  { label: 'Remove column', change: (chain) => chain.deleteColumn() },
  { label: 'Header row', change: (chain) => chain.toggleHeaderRow() },
  { label: 'Remove table', change: (chain) => chain.deleteTable() },
];

interface ToolbarProps {
  editor: Editor;
  /** The id of the text field that the buttons change. */
  controls: string;
  /** Opens the dialog for a link, the media library, or the device's files. */
  onLink: () => void;
  onLibrary: () => void;
  onUpload: () => void;
}

/**
 * The editor's buttons, built on the ARIA toolbar pattern: the toolbar is one tab stop, and the arrow keys, Home and
 * End move between the buttons. The table buttons appear while the cursor is in a table.
 */
export function Toolbar({ editor, controls, onLink, onLibrary, onUpload }: ToolbarProps) {
  const [current, setCurrent] = useState('Undo');
  const inserts: readonly ToolbarItem[] = [
    { label: 'Link', icon: 'link', keys: 'Control+K', run: onLink, format: ['link'] },
    { label: 'Picture from the media library', icon: 'picture', run: onLibrary },
    { label: 'Upload picture', icon: 'upload', run: onUpload },
  ];
  const groups = [...textItems, inserts];
  const state = useEditorState({
    editor,
    selector: ({ editor: at }) => ({
      inTable: at.isActive('table'),
      on: groups.flat().flatMap(({ label, format }) => (format && at.isActive(...format) ? [label] : [])),
      impossible: groups.flat().flatMap(({ label, isPossible }) => (isPossible?.(at) === false ? [label] : [])),
    }),
  });
  const shown = state.inTable ? [...groups, tableItems] : groups;
  const stop = shown.flat().some(({ label }) => label === current) ? current : 'Undo';

  return (
    <div
      // Stays visible while a long text scrolls below it, over the dialog’s padding.
      className="sticky -top-4 z-1 flex flex-wrap items-center bg-raised rule-b-rule max-md:fading max-md:flex-nowrap"
      role="toolbar"
      aria-label="Text"
      aria-controls={controls}
      aria-orientation="horizontal"
      onKeyDown={moveFocus}
    >
      {shown.map((group) => (
        <div
          key={group[0]?.label}
          className="flex flex-wrap px-1 not-first:rule-s-rule max-md:flex-none max-md:flex-nowrap"
          role="group"
        >
          {group.map(({ label, icon, letters, keys, format, change, run }) => (
            <button
              key={label}
              type="button"
              className="icon-button chosen tool w-auto px-1.5"
              aria-label={(letters ?? icon) ? label : undefined}
              title={keys ? `${label} (${keysText(keys)})` : label}
              aria-keyshortcuts={keys}
              aria-pressed={format && state.on.includes(label)}
              aria-disabled={state.impossible.includes(label) || undefined}
              tabIndex={label === stop ? 0 : -1}
              onFocus={() => setCurrent(label)}
              // Keeps the focus and the selection in the text when the button is clicked.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                if (state.impossible.includes(label)) return;
                change?.(editor.chain().focus()).run();
                run?.();
              }}
            >
              {icon ? (
                <Icon name={icon} />
              ) : (
                <span className={{ I: 'italic', S: 'line-through' }[letters ?? '']}>{letters ?? label}</span>
              )}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Formats a shortcut for people: `Ctrl+Shift+8`, or `⌘⇧8` on a Mac. */
function keysText(keys: string): string {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return keys.replace('Control', 'Ctrl');
  return keys.replace('Control+', '⌘').replace('Alt+', '⌥').replace('Shift+', '⇧');
}
