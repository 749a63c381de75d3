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

/** Lists the keyboard shortcuts of a list, with a switch for single-key shortcuts. */
export function ShortcutSheet({ shortcuts, singleKeys, onSingleKeys, onClose }: ShortcutSheetProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <table className="tabular [--cell:0.5rem_0]">
        <tbody>
          {shortcuts.map(({ keys, does }) => (
            <tr key={does} className="rule-b-rule">
              <td className="w-28">
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <th scope="row" className="align-middle regular">
                {does}
              </th>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="check">
        <input type="checkbox" checked={singleKeys} onChange={(event) => onSingleKeys(event.target.checked)} />
        <span>Use single-key shortcuts. Turn this off if you use voice input or an assistive switch device.</span>
      </label>
    </Dialog>
  );
}
