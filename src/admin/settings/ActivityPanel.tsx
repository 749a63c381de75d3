import { useState } from 'react';
import type { ActivityQuery } from '../../domain/activity.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Segments } from '../ui/Segments.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useActivity } from './queries.ts';

const kinds: readonly { value: ActivityQuery['kind']; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'change', label: 'Changes' },
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'refused', label: 'Refused' },
  { value: 'site', label: 'Automatic' },
];

const number = new Intl.NumberFormat('en-US');

/** 'owner@firm.example failed to sign in 12 times with a wrong password'; a refusal names nobody. */
const times = (count: number) => (count === 1 ? '' : ` ${number.format(count)} times`);

/** Who changed what, and when. */
export function ActivityPanel() {
  const [kind, setKind] = useState<ActivityQuery['kind']>('');
  const activity = useActivity(kind);
  const entries = activity.data?.pages.flatMap((page) => page.data);
  return (
    <SettingsPanel
      title="Activity"
      about="What admins changed, exported or sent, sign-ins that succeeded or failed, requests that were refused, and what the site deleted by itself. Entries are kept for two years, refused requests for 90 days. Nobody can change them."
    >
      <Segments label="Kind of activity" choices={kinds} chosen={kind} onChoose={setKind} />
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
      {entries?.length === 0 && <p>No activity yet.</p>}
      {entries && entries.length > 0 && (
        <ol className="settings-rows activity" aria-label="Activity">
          {entries.map((entry) => (
            <li key={entry.id}>
              <DateTime iso={entry.at} />
              <p>
                <span className="activity-who">{entry.who || 'A visitor'}</span> {entry.who ? '' : 'was '}
                {entry.action}
                {times(entry.count)}
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
