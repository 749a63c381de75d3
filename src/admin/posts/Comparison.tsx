import { zonedTimeText } from '../../lib/dates.ts';
import { type PostForm, scheduleOf } from './post-form.ts';
import { type ComparedLine, compareLines, linesOf } from './comparison.ts';

interface Side {
  /** Whose text it is, and of when. */
  readonly label: string;
  readonly form: PostForm;
}

/** Two states of a post beside each other; what differs is marked on both sides. */
export function Comparison({ left, right }: { left: Side; right: Side }) {
  const lines = compareLines(wholeOf(left.form), wholeOf(right.form));
  const differing = lines.filter((line) => !line.same).length;
  return (
    <>
      <p className="comparison-count" role="status">
        {differing === 0
          ? 'Both are the same.'
          : `${differing === 1 ? 'One line differs' : `${differing} lines differ`}, and ${differing === 1 ? 'is' : 'are'} marked.`}
      </p>
      {/* It scrolls by itself where it is narrow, and keys must reach it. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <div className="comparison-frame" tabIndex={0} role="region" aria-label="Both texts">
        <table className="comparison">
          <thead>
            <tr>
              <th scope="col">{left.label}</th>
              <th scope="col">{right.label}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              // Lines have no identity but their place.
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

function statusOf(form: PostForm): string {
  if (form.status === 'published') return 'Published';
  const schedule = scheduleOf(form);
  return schedule === null ? 'Draft' : `Scheduled for ${zonedTimeText(schedule)}`;
}

/** All of a post as lines, the fields before the text. */
function wholeOf(form: PostForm): string[] {
  return [
    `Title: ${form.title}`,
    `Address: /blog/${form.slug}`,
    `Status: ${statusOf(form)}`,
    ...(form.excerpt ? [`Excerpt: ${form.excerpt}`] : []),
    ...(form.featuredImage ? [`Featured picture: ${form.featuredImage}`] : []),
    ...linesOf(form.content),
  ];
}
