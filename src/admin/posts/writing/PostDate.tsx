import { dayText } from '../../../lib/dates.ts';
import { withToast } from '../../lib/act.ts';
import { Button } from '../../ui/Button.tsx';
import { usePutBackDate } from '../queries.ts';
import { type Writer, isOld } from './use-writing.ts';

/** Posts show their date in the firm's time zone; an admin sees the date in their own, as everywhere in the admin area. */
const ownDay = (iso: string) => dayText(iso, Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Next to the button: whether a save keeps the date of a post that was published more than a day ago. */
export function KeepDate({ writer: { post, text, keepsDate, setKeepsDate } }: { writer: Writer }) {
  const date = post?.publishedAt;
  if (!date || text.status !== 'published' || !isOld(date)) return null;
  return (
    <label className="check">
      <input
        type="checkbox"
        name="keepOriginalDate"
        checked={keepsDate}
        onChange={(event) => setKeepsDate(event.target.checked)}
      />
      <span>Keep the date {ownDay(date)}</span>
    </label>
  );
}

/** After a save that changed the date of a post: the new date, and a button that puts the earlier one back. */
export function ChangedDate({ writer: { post, dateChanged, replacePost } }: { writer: Writer }) {
  const putBack = usePutBackDate();
  if (!dateChanged || !post?.publishedAt || !post.dateBefore) return null;
  const before = ownDay(post.dateBefore);
  return (
    <p className="grid justify-items-start gap-1">
      <span>The post’s date is now {ownDay(post.publishedAt)}.</span>
      <Button
        icon="undo"
        pending={putBack.isPending}
        onClick={() =>
          void withToast(
            putBack.mutateAsync(post.id).then(replacePost),
            () => ({ title: `The post’s date is ${before} again` }),
            'Couldn’t put the date back',
          )
        }
      >
        Put back {before}
      </Button>
    </p>
  );
}
