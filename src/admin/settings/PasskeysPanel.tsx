import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Notice } from '../ui/Notice.tsx';
import { noPasskeysHere, passkeyErrorText, passkeysWork, wasCalledOff } from '../lib/passkeys.ts';
import { withToast } from '../lib/with-toast.ts';
import { Loaded } from './Loaded.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useAddPasskey, usePasskeys, useRemovePasskey } from './queries.ts';

/** Lists the admin's passkeys. Adds and removes passkeys. */
export function PasskeysPanel() {
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const removed = {
    title: 'Passkey removed',
    description: 'Your device may still list the passkey, but it no longer works here.',
  };

  return (
    <SettingsPanel
      title="Passkeys"
      about="Sign in with your fingerprint, face or security key instead of a password. A passkey can’t be guessed, and it works only on this site."
    >
      <Loaded what="your passkeys" query={passkeys} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p>You have no passkeys yet.</p>
          ) : (
            <ul className="rows" aria-label="Passkeys">
              {data.map(({ id, name, createdAt, usedAt }) => (
                <li key={id} className="flex-nowrap">
                  <div className="min-w-0 wrap-anywhere">
                    <p className="semibold">{name}</p>
                    <p className="text-ink-soft">
                      Added <DateTime iso={createdAt} />, {usedAt ? 'last used ' : 'not used yet'}
                      {usedAt && <DateTime iso={usedAt} />}
                    </p>
                  </div>
                  <Button
                    look="destructive"
                    icon="bin"
                    aria-label={`Remove the passkey: ${name}`}
                    onClick={() => void withToast(remove.mutateAsync(id), () => removed, 'Couldn’t remove the passkey')}
                    pending={remove.isPending && remove.variables === id}
                    pendingLabel="Removing…"
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
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
