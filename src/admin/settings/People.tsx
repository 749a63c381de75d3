import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { invitationReceipt, peopleList } from '../../domain/account/people.ts';
import { personInput } from '../../domain/submissions/personal-data.ts';
import { setUpLinkMinutes } from '../../domain/submissions/retention.ts';
import { doneReceipt, signInPage } from '../../domain/account/session.ts';
import { inWords, listText } from '../../domain/text/text.ts';
import { errorText } from '../lib/act.ts';
import { useSession } from '../session/queries.ts';
import { Button, CopyButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Field, useForm } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel, Row, Rows, useChange, usePanel } from './Panel.tsx';

export const usePeople = () => usePanel(apiPaths.people, peopleList);

/** Lists the admins and the invitations. Invites people and removes admins. */
export function People() {
  const people = usePeople();
  const session = useSession().data;
  const own = session?.user.email;
  const [removing, setRemoving] = useState<string | null>(null);
  const invite = useChange(
    (send, email: string) => send(apiPaths.invitations, { body: { email }, schema: invitationReceipt }),
    { done: ({ setUpLink }, email) => (setUpLink ? undefined : { title: 'Invitation sent', description: email }) },
  );
  const { form, errors, failure } = useForm({
    schema: personInput,
    act: invite,
    send: ({ email }) => invite.mutate(email, { onSuccess: () => form.ref.current?.reset() }),
  });
  const withdraw = useChange(
    (send, email: string) => send(apiPaths.withdrawInvitation, { body: { email }, schema: doneReceipt }),
    {
      done: (_done, email) => {
        // The link of a withdrawn invitation no longer works.
        if (email === invite.variables) invite.reset();
        return { title: 'Invitation withdrawn', description: email };
      },
      failed: 'Couldn’t withdraw the invitation',
    },
  );
  const remove = useChange(
    (send, email: string) => send(apiPaths.removePerson, { body: { email }, schema: doneReceipt }),
    {
      done: (_done, email) => {
        if (email === own) window.location.replace(signInPage);
        return { title: 'Admin removed', description: email };
      },
      failed: 'Couldn’t remove the admin',
    },
  );

  const shownLink = invite.data?.setUpLink && window.location.origin + invite.data.setUpLink;

  return (
    <Panel
      title="Admins"
      about="Every admin can see and change everything in the admin area. The site emails all admins when someone joins or is removed."
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
                  aria-label={`Withdraw invitation: ${email}`}
                  pendingLabel="Withdrawing…"
                >
                  Withdraw invitation
                </Button>
              </div>
            </Row>
          )),
        ]}
      </Rows>
      <form {...form} className="grid w-[min(24rem,100%)] justify-items-start gap-4">
        <Field
          label="Email address of the new admin"
          hint={`The site emails a link to set a password or a passkey. The link works once and expires after ${setUpLinkMinutes} minutes.${
            session?.openId ? ' People who can sign in with a company account need no invitation.' : ''
          }`}
          error={errors.email}
        >
          {(control) => <input {...control} name="email" type="email" required autoComplete="off" />}
        </Field>
        <Button type="submit" look="primary" pending={invite.isPending} pendingLabel="Sending…">
          Send invitation
        </Button>
      </form>
      {failure && (
        <Notice variant="destructive" title="Couldn’t send the invitation">
          <p>{errorText(failure)}</p>
        </Notice>
      )}
      {invite.data && shownLink && (
        <Notice variant="destructive" title="The site couldn’t email this invitation">
          <p>
            Send this link to {invite.variables} yourself. The link works once, until{' '}
            <DateTime iso={invite.data.expiresAt} />. The site can’t show the link again.
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
            Removing {removing} ends this person’s sessions and deletes their password, passkeys, recovery codes, share
            links, the invitations they sent and their unsaved changes.
            {!session?.openId && ' This person can no longer sign in.'} Posts and files stay. Post versions still show
            the email address.
          </p>
          {session?.openId && (
            <p>
              This person can become an admin again by signing in with a company account. To prevent this, ask the
              person who manages the server to remove the address, or its domain, from <code>OIDC_ALLOWED_EMAILS</code>.
            </p>
          )}
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
    hasPassword && 'a password',
    passkeys > 0 && `${inWords(passkeys)} ${passkeys === 1 ? 'passkey' : 'passkeys'}`,
    companyAccount && 'a company account',
  ].filter((way) => way !== false);
  return ways.length === 0 ? 'Has not set up a sign-in method yet' : `Signs in with ${listText(ways)}`;
}
