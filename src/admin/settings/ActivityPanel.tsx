import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useActivity } from './queries.ts';

/** Who changed what, and when. */
export function ActivityPanel() {
  const activity = useActivity();
  const entries = activity.data?.pages.flatMap((page) => page.data);
  return (
    <SettingsPanel
      title="Activity"
      about="What admins changed, read out or sent, when they signed in, and what the site deleted by itself. It is kept for two years and cannot be changed."
    >
      {activity.isError && (
        <FailureNotice
          title="Could not load the activity record"
          error={activity.error}
          kept={entries && 'What you see is what was there before.'}
          onRetry={() => void (activity.isFetchNextPageError ? activity.fetchNextPage() : activity.refetch())}
          pending={activity.isFetching}
        />
      )}
      {activity.isPending && <RowsSkeleton label="Loading the activity record…" rows={6} />}
      {entries?.length === 0 && <p>Nothing was done yet.</p>}
      {entries && entries.length > 0 && (
        <ol className="settings-rows activity" aria-label="Activity">
          {entries.map((entry) => (
            <li key={entry.id}>
              <DateTime iso={entry.at} />
              <p>
                <span className="activity-who">{entry.who}</span> {entry.action}
                {entry.subject && <span className="activity-subject"> {entry.subject}</span>}
              </p>
            </li>
          ))}
        </ol>
      )}
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
