import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { type ToolbarItem, keysText, tableItems, textItems } from './toolbar-items.ts';

interface ToolbarProps {
  editor: Editor;
  /** The id of the text field that the buttons change. */
  controls: string;
  /** Opens the dialog for a link. `onPicture` opens the dialog for an image. */
  onLink: () => void;
  onPicture: () => void;
}

/**
 * The editor's buttons, built on the ARIA toolbar pattern: the toolbar is one tab stop, and the arrow keys, Home and
 * End move between the buttons. The table buttons appear while the cursor is in a table.
 */
export function Toolbar({ editor, controls, onLink, onPicture }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('undo');
  const inserts: readonly ToolbarItem[] = [
    { id: 'link', label: 'Link', icon: 'link', keys: 'Control+K', run: onLink, isOn: (at) => at.isActive('link') },
    { id: 'picture', label: 'Picture', icon: 'picture', run: onPicture },
  ];
  const groups = [...textItems, inserts];
  const state = useEditorState({
    editor,
    selector: ({ editor: at }) => ({
      inTable: at.isActive('table'),
      on: groups.flat().flatMap((item) => (item.isOn?.(at) ? [item.id] : [])),
      impossible: groups.flat().flatMap((item) => (item.isPossible?.(at) === false ? [item.id] : [])),
    }),
  });
  const shown = state.inTable ? [...groups, tableItems] : groups;
  const order = shown.flat().map((item) => item.id);
  const stop = order.includes(current) ? current : (order[0] ?? '');

  const onKeyDown = (event: KeyboardEvent) => {
    const at = order.indexOf(stop);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: order.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = order[(to + order.length) % order.length] ?? stop;
    setCurrent(next);
    bar.current?.querySelector<HTMLElement>(`[data-item="${next}"]`)?.focus();
  };

  const button = (item: ToolbarItem, content: ReactNode) => {
    const impossible = state.impossible.includes(item.id);
    const name = item.keys ? `${item.label} (${keysText(item.keys)})` : item.label;
    return (
      <button
        key={item.id}
        type="button"
        className="tool"
        data-item={item.id}
        aria-label={(item.letters ?? item.icon) ? item.label : undefined}
        title={name}
        aria-keyshortcuts={item.keys}
        aria-pressed={item.isOn ? state.on.includes(item.id) : undefined}
        aria-disabled={impossible || undefined}
        tabIndex={item.id === stop ? 0 : -1}
        onFocus={() => setCurrent(item.id)}
        // Keeps the focus and the selection in the text when the button is clicked.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!impossible) item.run(editor);
        }}
      >
        {content}
      </button>
    );
  };

  return (
    <div
      ref={bar}
      className="toolbar"
      role="toolbar"
      aria-label="Text"
      aria-controls={controls}
      aria-orientation="horizontal"
      onKeyDown={onKeyDown}
    >
      {shown.map((group) => (
        <div key={group[0]?.id} className="tool-group" role="group">
          {group.map((item) =>
            button(
              item,
              item.icon ? (
                <Icon name={item.icon} />
              ) : (
                <span data-letters={item.letters}>{item.letters ?? item.label}</span>
              ),
            ),
          )}
        </div>
      ))}
    </div>
  );
}
