import {
  type ChangedPassword,
  type PasswordChange,
  changedPassword,
  endedSessions,
  passwordChange,
  passwordFields,
  sessionList,
  passkeyList,
  passkeyOptions,
  passkeyRecord,
} from '../../domain/account/account.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { inWords } from '../../domain/text/text.ts';
import { keptDays } from '../../domain/submissions/retention.ts';
import { doneReceipt } from '../../domain/account/session.ts';
import { errorText } from '../lib/act.ts';
import { PasskeyFailure, createPasskey, noPasskeysHere, passkeysWork } from '../session/passkeys.tsx';
import { useSession } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Check, NewPasswordField, PasswordField, useForm } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel, Row, Rows, useChange, usePanel } from './Panel.tsx';

/**
 * Changes the admin's own password. Requires the current password, so nobody can take over the account through an
 * unattended session.
 */
export function Password() {
  const session = useSession();
  const change = useChange((send, body: PasswordChange) => send(apiPaths.password, { body, schema: changedPassword }), {
    done: (changed, wanted) => ({ title: 'Password changed', description: changedText(changed, wanted) }),
  });
  const { form, errors, failure } = useForm({
    schema: passwordChange,
    act: change,
    values: (data) => ({
      ...Object.fromEntries(data),
      signOutElsewhere: data.has('signOutElsewhere'),
      removePasskeys: data.has('removePasskeys'),
    }),
    send: (wanted, onError) => change.mutate(wanted, { onSuccess: () => form.ref.current?.reset(), onError }),
  });

  return (
    <Panel
      title="Password"
      about="You get an email when your password changes. If you forget your password, sign in with a recovery code."
    >
      <form {...form} className="grid w-[min(24rem,100%)] justify-items-start gap-4">
        {failure && (
          <Notice variant="destructive" title="Couldn’t change the password">
            <p>{errorText(failure)}</p>
          </Notice>
        )}
        {/* Password managers need the user name to update the right entry. */}
        <input type="text" autoComplete="username" value={session.data?.user.email ?? ''} readOnly hidden />
        <PasswordField
          label={passwordFields.current.label}
          name="current"
          autoComplete="current-password"
          error={errors.current}
        />
        <NewPasswordField name="next" error={errors.next} />
        <Check label="Sign out everywhere else" name="signOutElsewhere" defaultChecked />
        <Check
          name="removePasskeys"
          label={
            <>
              Remove all passkeys
              <span className="block text-ink-soft">
                If someone else may have used your account, check both boxes, then replace your recovery codes.
              </span>
            </>
          }
        />
        <Button type="submit" look="primary" pending={change.isPending} pendingLabel="Changing…">
          Change password
        </Button>
      </form>
    </Panel>
  );
}

function changedText({ ended, passkeysRemoved }: ChangedPassword, wanted: PasswordChange): string {
  const sessions = wanted.signOutElsewhere ? `Other sessions ended: ${ended}. ` : '';
  return sessions + (wanted.removePasskeys ? `Passkeys removed: ${passkeysRemoved}.` : '');
}

/** Lists the admin's passkeys. Adds and removes passkeys. */
export function Passkeys() {
  const passkeys = usePanel(apiPaths.passkeys, passkeyList);
  const add = useChange(
    async (send) => {
      const options = await send(apiPaths.passkeyOptions, { method: 'POST', schema: passkeyOptions });
      const body = await createPasskey(options);
      return await send(apiPaths.passkeys, { body, schema: passkeyRecord });
    },
    { done: () => ({ title: 'Passkey added' }) },
  );
  const remove = useChange(
    (send, id: string) => send(apiPaths.passkey(id), { method: 'DELETE', schema: doneReceipt }),
    {
      done: () => ({
        title: 'Passkey removed',
        description: 'Your device may still list the passkey, but it no longer works here.',
      }),
      failed: 'Couldn’t remove the passkey',
    },
  );

  return (
    <Panel
      title="Passkeys"
      about="Sign in with your fingerprint, face or security key instead of a password. A passkey can’t be guessed, and it works only on this site."
    >
      <Rows label="Passkeys" what="your passkeys" query={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <li>You have no passkeys yet.</li>
          ) : (
            data.map(({ id, name, createdAt, usedAt }) => (
              <Row
                key={id}
                name={name}
                about={
                  <>
                    Added <DateTime iso={createdAt} />, {usedAt ? 'last used ' : 'not used yet'}
                    {usedAt && <DateTime iso={usedAt} />}
                  </>
                }
              >
                <Button
                  act={remove}
                  input={id}
                  look="destructive"
                  icon="bin"
                  aria-label={`Remove the passkey: ${name}`}
                  pendingLabel="Removing…"
                >
                  Remove
                </Button>
              </Row>
            ))
          )
        }
      </Rows>
      {passkeysWork() ? (
        <Button act={add} pendingLabel="Waiting for your device…">
          Add passkey
        </Button>
      ) : (
        <p>{noPasskeysHere}</p>
      )}
      <PasskeyFailure title="Couldn’t add the passkey" error={add.error} />
    </Panel>
  );
}

/** Lists the browsers in which the admin is signed in, and ends sessions. */
export function Sessions() {
  const sessions = usePanel(apiPaths.sessions, sessionList);
  /** Ends one session by its id; without an id, all other sessions. */
  const end = useChange(
    (send, id: string | undefined) =>
      send(id === undefined ? apiPaths.sessions : apiPaths.session(id), { method: 'DELETE', schema: endedSessions }),
    {
      done: (_ended, id) => ({ title: id === undefined ? 'Other sessions ended' : 'Session ended' }),
      failed: 'Couldn’t end the session',
    },
  );
  return (
    <Panel
      title="Sessions"
      about={`Browsers where you’re signed in. A session ends after ${inWords(keptDays.idleSession)} days without use, and no later than ${inWords(keptDays.session)} days after you signed in.`}
    >
      <Rows label="Sessions" what="your sessions" query={sessions}>
        {({ data }) =>
          data.map(({ id, client, current, createdAt, seenAt }) => (
            <Row
              key={id}
              name={client}
              tag={current && 'This browser'}
              about={
                <>
                  Signed in <DateTime iso={createdAt} />. Last used <DateTime iso={seenAt} />.
                </>
              }
            >
              {!current && (
                <Button act={end} input={id} aria-label={`End session: ${client}`} pendingLabel="Ending…">
                  End session
                </Button>
              )}
            </Row>
          ))
        }
      </Rows>
      {(sessions.data?.data.length ?? 0) > 2 && (
        <Button act={end} pendingLabel="Ending…">
          End all other sessions
        </Button>
      )}
    </Panel>
  );
}
