import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { noPasskeysHere, passkeyErrorText, passkeysWork, wasCalledOff } from '../lib/passkeys.ts';
import { withToast } from '../lib/with-toast.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useAddPasskey, usePasskeys, useRemovePasskey } from './queries.ts';

/** Lists the admin's passkeys. Adds and removes passkeys. */
export function PasskeysPanel() {
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const remove = useRemovePasskey();

  const removeOne = (id: string) =>
    withToast(
      remove.mutateAsync(id),
      () => ({
        title: 'Passkey removed',
        description: 'Your device may still list the passkey, but it no longer works here.',
      }),
      'Couldn’t remove the passkey',
    );

  return (
    <SettingsPanel
      title="Passkeys"
      about="Sign in with your fingerprint, face or security key instead of a password. A passkey can’t be guessed, and it works only on this site."
    >
      {passkeys.isError && (
        <FailureNotice
          title="Couldn’t load your passkeys"
          error={passkeys.error}
          onRetry={() => void passkeys.refetch()}
          pending={passkeys.isFetching}
        />
      )}
      {passkeys.isPending && <RowsSkeleton label="Loading your passkeys…" rows={1} />}
      {passkeys.data?.data.length === 0 && <p>You have no passkeys yet.</p>}
      {passkeys.data && passkeys.data.data.length > 0 && (
        <ul className="rows" aria-label="Passkeys">
          {passkeys.data.data.map((passkey) => (
            <li key={passkey.id} className="flex-nowrap">
              <div className="min-w-0 wrap-anywhere">
                <p className="semibold">{passkey.name}</p>
                <p className="text-ink-soft">
                  Added <DateTime iso={passkey.createdAt} />,{' '}
                  {passkey.usedAt ? (
                    <>
                      last used <DateTime iso={passkey.usedAt} />
                    </>
                  ) : (
                    'not used yet'
                  )}
                </p>
              </div>
              <Button
                look="destructive"
                icon="bin"
                aria-label={`Remove the passkey: ${passkey.name}`}
                onClick={() => void removeOne(passkey.id)}
                pending={remove.isPending && remove.variables === passkey.id}
                pendingLabel="Removing…"
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {passkeysWork() ? (
        <Button
          onClick={() => add.mutate(undefined, { onSuccess: () => showToast({ title: 'Passkey added' }) })}
          pending={add.isPending}
          pendingLabel="Waiting for your device…"
        >
          Add passkey
        </Button>
      ) : (
        <p>{noPasskeysHere}</p>
      )}
      {add.isError && !wasCalledOff(add.error) && (
        <Notice variant="destructive" title="Couldn’t add the passkey">
          <p>{passkeyErrorText(add.error)}</p>
        </Notice>
      )}
    </SettingsPanel>
  );
}
