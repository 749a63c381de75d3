import { Icon } from '../../ui/Icon.tsx';
import type { Hint, HintTarget } from './checklist.ts';

/** Lists hints before a post is published. Each hint is a button that leads to the field or position in the text. */
export function Checklist({ hints, onGo }: { hints: readonly Hint[]; onGo: (target: HintTarget) => void }) {
  return (
    <section className="checklist" aria-labelledby="checklist-title">
      <h3 id="checklist-title">Before you publish</h3>
      {hints.length === 0 ? (
        <p className="checklist-fine">
          <Icon name="tick" />
          <span>Ready to publish.</span>
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
