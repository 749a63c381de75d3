import { useState } from 'react';
import type { ActivityQuery, ActivityRecord } from '../../domain/activity.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Segments } from '../ui/Segments.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { activityText } from './activity-text.ts';
import { useActivity } from './queries.ts';

const kinds: readonly { value: ActivityQuery['kind']; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'change', label: 'Changes' },
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'site', label: 'Automatic' },
];

function Sentence({ entry }: { entry: ActivityRecord }) {
  const { who, before, subject, after } = activityText(entry);
  return (
    <p className="min-w-0 wrap-anywhere @max-[36rem]/settings:flex-[1_0_100%]">
      <span className="semibold">{who}</span> {before}
      {subject && <span className="semibold"> {subject}</span>}
      {after && ` ${after}`}
    </p>
  );
}

/** The activity log: who changed what, and when. */
export function ActivityPanel() {
  const [kind, setKind] = useState<ActivityQuery['kind']>('');
  const activity = useActivity(kind);
  const entries = activity.data?.pages.flatMap((page) => page.data);
  return (
    <SettingsPanel
      title="Activity"
      about="This log shows changes, exports and emails by admins, successful and failed sign-ins, and automatic deletions. We delete entries after one year. Admins can’t edit the log."
    >
      <Segments label="Kind of activity" choices={kinds} chosen={kind} onChoose={setKind} />
      {activity.isError && (
        <FailureNotice
          title="Couldn’t load the activity"
          error={activity.error}
          kept={entries && 'This list may be out of date.'}
          onRetry={() => void (activity.isFetchNextPageError ? activity.fetchNextPage() : activity.refetch())}
          pending={activity.isFetching}
        />
      )}
      {activity.isPending && <RowsSkeleton label="Loading the activity…" rows={6} />}
      {entries?.length === 0 && <p>No activity yet.</p>}
      {entries && entries.length > 0 && (
        <ol className="rows" aria-label="Activity">
          {entries.map((entry) => (
            <li
              key={entry.id}
              className="min-h-10 flex-nowrap items-baseline justify-start @max-[36rem]/settings:flex-wrap"
            >
              <span className="min-w-[min(11.5rem,100%)] flex-none text-ink-soft">
                <DateTime iso={entry.at} />
              </span>
              <Sentence entry={entry} />
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
