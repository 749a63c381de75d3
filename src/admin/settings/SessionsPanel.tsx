import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { withNotice } from '../ui/with-notice.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useEndSessions, useSessions } from './queries.ts';

/** Where one is signed in, and how to end that. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEndSessions();
  const others = sessions.data?.data.filter((session) => !session.current) ?? [];

  const endThem = (which: Parameters<typeof end.mutate>[0], said: string) =>
    withNotice(end.mutateAsync(which), () => ({ title: said }), 'Could not end the session');

  return (
    <SettingsPanel
      title="Sessions"
      about="Where you are signed in. A session ends after three days without use, and after seven days in any case. When you end one here, the next sign-in in that browser sends you an email."
    >
      {sessions.isError && (
        <FailureNotice
          title="Could not load your sessions"
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          pending={sessions.isFetching}
        />
      )}
      {sessions.isPending && <RowsSkeleton label="Loading your sessions…" rows={2} />}
      {sessions.data && (
        <ul className="settings-rows">
          {sessions.data.data.map((session) => (
            <li key={session.id}>
              <div className="settings-row-words">
                <p className="settings-row-name">
                  {session.client}
                  {session.current && <span className="settings-mark">This one</span>}
                </p>
                <p>
                  Last used <DateTime iso={session.seenAt} />, since <DateTime iso={session.createdAt} />
                </p>
              </div>
              {!session.current && (
                <Button
                  aria-label={`End the session: ${session.client}`}
                  onClick={() => void endThem({ id: session.id }, 'The session was ended')}
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
          onClick={() => void endThem('others', 'All other sessions were ended')}
          pending={end.isPending && end.variables === 'others'}
          pendingLabel="Ending…"
        >
          End all others
        </Button>
      )}
    </SettingsPanel>
  );
}
