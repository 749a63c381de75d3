import { Dialog } from './Dialog.tsx';

export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

interface ShortcutSheetProps {
  shortcuts: readonly Shortcut[];
  singleKeys: boolean;
  onSingleKeys: (on: boolean) => void;
  onClose: () => void;
}

/** What the keys of a list do, and the switch for single letters. */
export function ShortcutSheet({ shortcuts, singleKeys, onSingleKeys, onClose }: ShortcutSheetProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <table className="shortcuts">
        <tbody>
          {shortcuts.map(({ keys, does }) => (
            <tr key={does}>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <th scope="row">{does}</th>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="check">
        <input type="checkbox" checked={singleKeys} onChange={(event) => onSingleKeys(event.target.checked)} />
        <span>Letters and signs as shortcuts. Switch off where speech input or a switch device types by itself.</span>
      </label>
    </Dialog>
  );
}
