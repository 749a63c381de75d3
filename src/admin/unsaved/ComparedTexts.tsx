import { diffWords } from 'diff';

/** A text with the heading of its column. */
interface Side {
  readonly label: string;
  readonly text: string;
}

/** The time limit in milliseconds. Two long texts that differ nearly everywhere exceed the limit, and get no marks. */
const comparedMs = 500;

/** Shows two versions of a text side by side and marks the words that differ. */
export function ComparedTexts({ left, right }: { left: Side; right: Side }) {
  const parts = diffWords(left.text, right.text, { timeout: comparedMs });
  return (
    <>
      <p role="status">
        {left.text === right.text
          ? 'The two versions are identical.'
          : parts && 'The words that differ are highlighted.'}
      </p>
      <div className="grid gap-6 md:grid-cols-2">
        {[left, right].map(({ label, text }) => (
          <section key={label} aria-label={label}>
            <h3 className="pb-1.5 rule-b-rule-strong">{label}</h3>
            <p className="compared py-2 whitespace-pre-line wrap-anywhere">
              {parts
                ? parts.map(({ added, removed, value }, index) => {
                    // Two parts may be identical, so only the index is a unique key.
                    if (text === left.text ? added : removed) return null;
                    if (added) return <ins key={index}>{value}</ins>;
                    return removed ? <del key={index}>{value}</del> : value;
                  })
                : text}
            </p>
          </section>
        ))}
      </div>
    </>
  );
}
