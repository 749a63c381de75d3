import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { passkeyErrorText, passkeysWork, wasCalledOff } from '../ui/passkeys.ts';
import { withNotice } from '../ui/with-notice.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useAddPasskey, usePasskeys, useRemovePasskey } from './queries.ts';

/** The second way in, beside the password. */
export function PasskeysPanel() {
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const remove = useRemovePasskey();

  const removeOne = (id: string) =>
    withNotice(
      remove.mutateAsync(id),
      () => ({ title: 'The passkey was removed', description: 'Your device may still show it, to no effect.' }),
      'Could not remove the passkey',
    );

  return (
    <SettingsPanel
      title="Passkeys"
      about="Sign in with your fingerprint, your face or a security key in place of the password. Nobody can guess it, and no forged page can ask for it."
    >
      {passkeys.isError && (
        <FailureNotice
          title="Could not load your passkeys"
          error={passkeys.error}
          onRetry={() => void passkeys.refetch()}
          pending={passkeys.isFetching}
        />
      )}
      {passkeys.isPending && <RowsSkeleton label="Loading your passkeys…" rows={1} />}
      {passkeys.data?.data.length === 0 && <p className="settings-empty">You have no passkey yet.</p>}
      {passkeys.data && passkeys.data.data.length > 0 && (
        <ul className="settings-rows" aria-label="Passkeys">
          {passkeys.data.data.map((passkey) => (
            <li key={passkey.id}>
              <div className="settings-row-words">
                <p className="settings-row-name">Made in {passkey.name}</p>
                <p>
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
                aria-label={`Remove the passkey made in ${passkey.name}`}
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
          onClick={() => add.mutate(undefined, { onSuccess: () => showToast({ title: 'The passkey was added' }) })}
          pending={add.isPending}
          pendingLabel="Waiting for your device…"
        >
          Add a passkey
        </Button>
      ) : (
        <p>
          This browser makes none here. A passkey belongs to the site’s name: open the site by it, over https, or as{' '}
          <code>localhost</code> on this machine.
        </p>
      )}
      {add.isError && !wasCalledOff(add.error) && (
        <Notice variant="destructive" title="No passkey was added">
          <p>{passkeyErrorText(add.error)}</p>
        </Notice>
      )}
    </SettingsPanel>
  );
}
