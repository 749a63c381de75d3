import { Dialog } from '../ui/Dialog.tsx';

const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string; readonly letter?: boolean }[] = [
  { keys: ['↓', 'j'], does: 'Next inquiry' },
  { keys: ['↑', 'k'], does: 'Previous inquiry' },
  { keys: ['Enter'], does: 'Open the inquiry' },
  { keys: ['r'], does: 'Reply by email' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This list' },
];

interface ShortcutSheetProps {
  singleKeys: boolean;
  onSingleKeys: (on: boolean) => void;
  onClose: () => void;
}

export function ShortcutSheet({ singleKeys, onSingleKeys, onClose }: ShortcutSheetProps) {
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
