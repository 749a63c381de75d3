import { type ComparedLine, compareLines } from './compared-lines.ts';

/** A text as lines, with the heading of its column. */
interface Side {
  readonly label: string;
  readonly lines: readonly string[];
}

/** Shows two versions of a text side by side and marks the differences. */
export default function ComparedTexts({ left, right }: { left: Side; right: Side }) {
  const lines = compareLines(left.lines, right.lines);
  const differing = lines.filter((line) => !line.same).length;
  return (
    <>
      <p role="status">
        {differing === 0
          ? 'The two versions are identical.'
          : differing === 1
            ? 'One line is different. It’s highlighted.'
            : `${differing} lines are different. They’re highlighted.`}
      </p>
      {/* On narrow screens this region scrolls, so keyboard users must be able to focus it. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- it must take the focus to scroll */}
      <div className="overflow-auto rule-rule-strong" tabIndex={0} role="region" aria-label="Both versions">
        <table className="comparison tabular">
          <thead>
            <tr>
              <th scope="col">{left.label}</th>
              <th scope="col">{right.label}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              // Two lines may be identical, so only the index is a unique key.
              <tr key={index} data-same={line.same || undefined}>
                <Line text={line.left} mark={!line.same && 'del'} />
                <Line text={line.right} mark={!line.same && 'ins'} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Line({ text, mark }: { text: ComparedLine['left']; mark: 'del' | 'ins' | false }) {
  const Mark = mark || 'span';
  return <td>{text !== null && <Mark>{text}</Mark>}</td>;
}
