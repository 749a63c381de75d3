import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Loaded } from './Loaded.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useActivity } from './queries.ts';

/** The activity log: who changed what, and when. */
export function ActivityPanel() {
  const activity = useActivity();
  return (
    <SettingsPanel
      title="Activity"
      about="This log shows changes, exports and emails by admins, successful and failed sign-ins, and automatic deletions. We delete entries after one year. Admins can’t edit the log."
    >
      <Loaded what="the activity" query={activity} rows={6}>
        {({ pages }) => (
          <ol className="rows" aria-label="Activity">
            {pages
              .flatMap((page) => page.data)
              .map(({ id, at, who, action, subject, link }) => (
                <li
                  key={id}
                  className="min-h-10 flex-nowrap items-baseline justify-start @max-[36rem]/settings:flex-wrap"
                >
                  <span className="min-w-[min(11.5rem,100%)] flex-none text-ink-soft">
                    <DateTime iso={at} />
                  </span>
                  <p className="min-w-0 wrap-anywhere @max-[36rem]/settings:flex-[1_0_100%]">
                    <span className="semibold">{who}</span> {link && !subject ? <a href={link}>{action}</a> : action}
                    {subject && ': '}
                    {link && subject ? <a href={link}>{subject}</a> : subject}
                  </p>
                </li>
              ))}
          </ol>
        )}
      </Loaded>
      {activity.hasNextPage && (
        <Button
          icon="down"
          onClick={() => void activity.fetchNextPage()}
          pending={activity.isFetchingNextPage}
          pendingLabel="Loading…"
        >
          Show older
        </Button>
      )}
    </SettingsPanel>
  );
}
