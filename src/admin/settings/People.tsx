import { type SubmitEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { invitationReceipt, newRecoveryCodes, peopleList, recoveryCodeCount } from '../../domain/people.ts';
import { personInput } from '../../domain/personal-data.ts';
import { setUpLinkMinutes } from '../../domain/retention.ts';
import { doneReceipt } from '../../domain/session.ts';
import { inWords, listText } from '../../domain/text.ts';
import { errorText } from '../lib/act.ts';
import { useSession } from '../session/queries.ts';
import { Button, CopyButton, copyText } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Field, useValidation } from '../ui/Field.tsx';
import { Loaded, Notice } from '../ui/Notice.tsx';
import { Panel, Row, Rows, useChange, usePanel } from './Panel.tsx';

const usePeople = () => usePanel(apiPaths.people, peopleList);

/** Lists the admins and the invitations. Invites people and removes admins. */
export function People() {
  const people = usePeople();
  const own = useSession().data?.user.email;
  const [removing, setRemoving] = useState<string | null>(null);
  const { form, errors, check } = useValidation();
  const invite = useChange(
    (send, email: string) => send(apiPaths.invitations, { body: { email }, schema: invitationReceipt }),
    { done: ({ setUpLink }, email) => (setUpLink ? undefined : { title: 'Invitation sent', description: email }) },
  );
  const withdraw = useChange(
    (send, email: string) => send(apiPaths.invitation(email), { method: 'DELETE', schema: doneReceipt }),
    { done: () => ({ title: 'Invitation withdrawn' }), failed: 'Couldn’t withdraw the invitation' },
  );
  const remove = useChange(
    (send, email: string) => send(apiPaths.person(email), { method: 'DELETE', schema: doneReceipt }),
    {
      done: (_done, email) => {
        if (email === own) window.location.replace('/admin/sign-in');
        return { title: 'Admin removed', description: email };
      },
      failed: 'Couldn’t remove the admin',
    },
  );

  const shownLink = invite.data?.setUpLink && window.location.origin + invite.data.setUpLink;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (invite.isPending) return;
    const input = check(personInput, Object.fromEntries(new FormData(event.currentTarget)));
    if (input) invite.mutate(input.email, { onSuccess: () => form.current?.reset() });
  };

  return (
    <Panel
      title="Admins"
      about="Everyone here can see and change everything in the admin area. We email all admins when someone joins or is removed."
    >
      <Rows label="Admins" what="the admins" query={people}>
        {({ data, invitations }) => [
          ...data.map(({ email, hasPassword, passkeys, companyAccount, signedInAt }) => (
            <Row
              key={email}
              name={email}
              tag={email === own && 'You'}
              about={
                <>
                  {signInText(hasPassword, passkeys, companyAccount)}
                  {signedInAt && '. Last signed in '}
                  {signedInAt && <DateTime iso={signedInAt} />}.
                </>
              }
            >
              {data.length > 1 && (
                <Button
                  look="destructive"
                  icon="bin"
                  aria-label={`Remove ${email}`}
                  pending={remove.isPending && remove.variables === email}
                  onClick={() => setRemoving(email)}
                >
                  Remove
                </Button>
              )}
            </Row>
          )),
          ...invitations.map(({ email, invitedBy, expiresAt }) => (
            <Row
              key={email}
              name={email}
              tag="Invited"
              about={
                <>
                  By {invitedBy}. The link {Date.parse(expiresAt) > Date.now() ? 'works until' : 'expired'}{' '}
                  <DateTime iso={expiresAt} />.
                </>
              }
            >
              <div className="actions">
                <Button act={invite} input={email} aria-label={`Send again to ${email}`} pendingLabel="Sending…">
                  Send again
                </Button>
                <Button
                  act={withdraw}
                  input={email}
                  aria-label={`Withdraw the invitation of ${email}`}
                  pendingLabel="Withdrawing…"
                >
                  Withdraw
                </Button>
              </div>
            </Row>
          )),
        ]}
      </Rows>
      <form ref={form} className="grid w-[min(24rem,100%)] justify-items-start gap-4" noValidate onSubmit={submit}>
        <Field
          label="Email address"
          hint={`We email a link that works once, for ${setUpLinkMinutes} minutes.`}
          error={errors.email}
        >
          {(control) => <input {...control} name="email" type="email" required autoComplete="off" />}
        </Field>
        <Button type="submit" look="primary" pending={invite.isPending} pendingLabel="Sending…">
          Invite
        </Button>
      </form>
      {invite.isError && (
        <Notice variant="destructive" title="Couldn’t invite this person">
          <p>{errorText(invite.error)}</p>
        </Notice>
      )}
      {invite.data && shownLink && (
        <Notice title="We couldn’t email this invitation">
          <p>
            Send this link to {invite.variables} yourself. The link works once, until{' '}
            <DateTime iso={invite.data.expiresAt} />. We can’t show the link again.
          </p>
          <p className="flex items-center gap-2">
            <code className="wrap-anywhere">{shownLink}</code>
            <CopyButton text={shownLink} what="link" />
          </p>
        </Notice>
      )}
      {removing && (
        <Dialog title={removing === own ? 'Remove yourself?' : 'Remove this admin?'} onClose={() => setRemoving(null)}>
          <p>
            {removing} is signed out everywhere and can no longer sign in. The password, passkeys, recovery codes, share
            links, invitations and unsaved changes are deleted. Posts and files stay, and still show the address.
          </p>
          <div className="actions">
            <Button act={remove} input={removing} look="destructive" icon="bin" onClick={() => setRemoving(null)}>
              Remove admin
            </Button>
            <Button onClick={() => setRemoving(null)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

function signInText(hasPassword: boolean, passkeys: number, companyAccount: boolean): string {
  const ways = [
    hasPassword && 'password',
    passkeys > 0 && `${inWords(passkeys)} ${passkeys === 1 ? 'passkey' : 'passkeys'}`,
    companyAccount && 'company account',
  ].filter((way) => way !== false);
  return ways.length === 0 ? 'No way to sign in yet' : `Signs in with ${listText(ways)}`;
}

/** Shows how many recovery codes the admin has left, and creates new ones. */
export function RecoveryCodes() {
  const people = usePeople();
  const session = useSession();
  const create = useChange((send) => send(apiPaths.recoveryCodes, { method: 'POST', schema: newRecoveryCodes }), {
    failed: 'Couldn’t create recovery codes',
  });
  const own = session.data?.user.email;
  const left = people.data?.data.find(({ email }) => email === own)?.recoveryCodes ?? 0;
  return (
    <Panel
      title="Recovery codes"
      about="If you lose your password and your passkeys, each code signs you in once. Print the codes, and keep the paper where no one else can read it."
    >
      <Loaded what="your recovery codes" query={people}>
        {() => <p>{left === 0 ? 'You have no recovery codes.' : `${left} of ${recoveryCodeCount} codes left.`}</p>}
      </Loaded>
      <Button act={create} pendingLabel="Creating…">
        {left === 0 ? 'Create recovery codes' : 'Replace recovery codes'}
      </Button>
      {create.data && (
        <Dialog title="Your recovery codes" guarded onClose={create.reset}>
          <p>Print or copy these codes now. We can’t show them again. Earlier codes no longer work.</p>
          <div className="printed">
            <p>Recovery codes of {own}:</p>
            <ol className="mt-2 grid list-decimal gap-1 ps-8" aria-label="Recovery codes">
              {create.data.codes.map((code) => (
                <li key={code}>
                  <code>{code}</code>
                </li>
              ))}
            </ol>
          </div>
          <div className="actions">
            <Button look="primary" onClick={() => window.print()}>
              Print
            </Button>
            <Button onClick={() => void copyText(create.data.codes.join('\n'), 'recovery codes')}>Copy</Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
