import { Icon } from '../ui/Icon.tsx';
import type { Hint, HintPlace } from './checklist.ts';

/** What an editor's eye finds before a post is published; a press leads to the place. */
export function Checklist({ hints, onGo }: { hints: readonly Hint[]; onGo: (place: HintPlace) => void }) {
  return (
    <section className="checklist" aria-labelledby="checklist-title">
      <h3 id="checklist-title">Before you publish</h3>
      {hints.length === 0 ? (
        <p className="checklist-fine">
          <Icon name="tick" />
          <span>Nothing to mend.</span>
        </p>
      ) : (
        <ul>
          {hints.map(({ id, text, at }) => (
            <li key={id}>
              <button type="button" className="hint" onClick={() => onGo(at)}>
                <Icon name="warning" />
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
