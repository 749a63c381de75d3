import { Icon } from '../../ui/Icon.tsx';
import type { Hint, HintTarget } from './checklist.ts';

const line = 'flex min-h-(--control) items-baseline gap-2 py-2 [&>svg]:relative [&>svg]:top-0.5';

/** Lists hints before a post is published. Each hint is a button that leads to the field or position in the text. */
export function Checklist({ hints, onGo }: { hints: readonly Hint[]; onGo: (target: HintTarget) => void }) {
  return (
    <section className="pt-3 rule-t-rule-strong" aria-labelledby="checklist-title">
      <h3 id="checklist-title">Before you publish</h3>
      {hints.length === 0 ? (
        <p className={line}>
          <Icon name="tick" accent />
          <span>Ready to publish.</span>
        </p>
      ) : (
        <ul>
          {hints.map(({ id, text, at }) => (
            <li key={id}>
              <button
                type="button"
                className={`${line} w-full rule-b-rule text-start wrap-anywhere hover:bg-highlight`}
                onClick={() => onGo(at)}
              >
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
