import { inWords } from '../../domain/number-words.ts';
import { keptDays } from '../../domain/retention.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { withToast } from '../lib/with-toast.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useEndSessions, useSessions } from './queries.ts';

/** Lists the browsers in which the admin is signed in, and ends sessions. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEndSessions();
  const others = sessions.data?.data.filter((session) => !session.current) ?? [];

  const endThem = (which: Parameters<typeof end.mutate>[0], said: string) =>
    withToast(end.mutateAsync(which), () => ({ title: said }), 'Couldn’t end the session');

  return (
    <SettingsPanel
      title="Sessions"
      about={`Browsers where you’re signed in. A session ends after ${inWords(keptDays.idleSession)} days without use, and no later than ${inWords(keptDays.session)} days after you signed in.`}
    >
      {sessions.isError && (
        <FailureNotice
          title="Couldn’t load your sessions"
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          pending={sessions.isFetching}
        />
      )}
      {sessions.isPending && <RowsSkeleton label="Loading your sessions…" rows={2} />}
      {sessions.data && (
        <ul className="rows">
          {sessions.data.data.map((session) => (
            <li key={session.id} className="flex-nowrap">
              <div className="min-w-0 wrap-anywhere">
                <p className="semibold">
                  {session.client}
                  {session.current && <span className="ms-3 bg-highlight px-2 py-px text-xs">This browser</span>}
                </p>
                <p className="text-ink-soft">
                  Signed in <DateTime iso={session.createdAt} />. Last used <DateTime iso={session.seenAt} />.
                </p>
              </div>
              {!session.current && (
                <Button
                  aria-label={`End session: ${session.client}`}
                  onClick={() => void endThem({ id: session.id }, 'Session ended')}
                  pending={end.isPending && end.variables !== 'others' && end.variables.id === session.id}
                  pendingLabel="Ending…"
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Button
          onClick={() => void endThem('others', 'Other sessions ended')}
          pending={end.isPending && end.variables === 'others'}
          pendingLabel="Ending…"
        >
          End all other sessions
        </Button>
      )}
    </SettingsPanel>
  );
}
