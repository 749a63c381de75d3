import { inWords } from '../../domain/number-words.ts';
import { keptDays } from '../../domain/retention.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { withToast } from '../lib/with-toast.ts';
import { Loaded } from './Loaded.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useEndSessions, useSessions } from './queries.ts';

/** Lists the browsers in which the admin is signed in, and ends sessions. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEndSessions();
  const endThem = (id: string | undefined, title: string) =>
    void withToast(end.mutateAsync(id), () => ({ title }), 'Couldn’t end the session');

  return (
    <SettingsPanel
      title="Sessions"
      about={`Browsers where you’re signed in. A session ends after ${inWords(keptDays.idleSession)} days without use, and no later than ${inWords(keptDays.session)} days after you signed in.`}
    >
      <Loaded what="your sessions" query={sessions} rows={2}>
        {({ data }) => (
          <>
            <ul className="rows" aria-label="Sessions">
              {data.map(({ id, client, current, createdAt, seenAt }) => (
                <li key={id} className="flex-nowrap">
                  <div className="min-w-0 wrap-anywhere">
                    <p className="semibold">
                      {client}
                      {current && <span className="ms-3 bg-highlight px-2 py-px text-xs">This browser</span>}
                    </p>
                    <p className="text-ink-soft">
                      Signed in <DateTime iso={createdAt} />. Last used <DateTime iso={seenAt} />.
                    </p>
                  </div>
                  {!current && (
                    <Button
                      aria-label={`End session: ${client}`}
                      onClick={() => endThem(id, 'Session ended')}
                      pending={end.isPending && end.variables === id}
                      pendingLabel="Ending…"
                    >
                      End
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {data.length > 2 && (
              <Button
                onClick={() => endThem(undefined, 'Other sessions ended')}
                pending={end.isPending && end.variables === undefined}
                pendingLabel="Ending…"
              >
                End all other sessions
              </Button>
            )}
          </>
        )}
      </Loaded>
    </SettingsPanel>
  );
}
