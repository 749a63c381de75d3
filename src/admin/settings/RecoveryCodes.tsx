import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { newRecoveryCodes, recoveryCodeCount } from '../../domain/account/people.ts';
import { signInPage } from '../../domain/account/session.ts';
import { useSession } from '../session/queries.ts';
import { Button, copyText } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { usePeople } from './People.tsx';
import { Panel, useChange } from './Panel.tsx';

/** Shows how many recovery codes the admin has left, and creates new ones. */
export function RecoveryCodes() {
  const people = usePeople();
  const own = useSession().data?.user.email;
  const left = people.data?.data.find(({ email }) => email === own)?.recoveryCodes ?? 0;
  const [replacing, setReplacing] = useState(false);
  const create = useChange((send) => send(apiPaths.recoveryCodes, { method: 'POST', schema: newRecoveryCodes }), {
    failed: left === 0 ? 'Couldn’t create recovery codes' : 'Couldn’t replace your recovery codes',
  });
  const close = () => setReplacing(false);
  return (
    <Panel
      title="Recovery codes"
      about="If you lose your password and your passkeys, each code signs you in once. Print the codes, and keep the paper where no one else can read it."
    >
      <Loaded what="your recovery codes" query={people}>
        {() => (
          <>
            <p>{left === 0 ? 'You have no recovery codes.' : `${left} of ${recoveryCodeCount} codes left.`}</p>
            {left === 0 ? (
              <Button act={create} pendingLabel="Creating…">
                Create recovery codes
              </Button>
            ) : (
              <Button pending={create.isPending} pendingLabel="Replacing…" onClick={() => setReplacing(true)}>
                Replace recovery codes
              </Button>
            )}
          </>
        )}
      </Loaded>
      {replacing && (
        <Dialog title="Replace your recovery codes?" onClose={close}>
          <p>You get {recoveryCodeCount} new codes. Your current codes stop working, including the ones on paper.</p>
          <div className="actions">
            <Button act={create} look="primary" onClick={close}>
              Replace codes
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </Dialog>
      )}
      {create.data && (
        <Dialog title="Your recovery codes" guarded onClose={create.reset}>
          <p>Print or copy these codes now. The site can’t show these codes again. Earlier codes no longer work.</p>
          <div className="printed">
            <p>
              Recovery codes for {own} at {window.location.host + signInPage}
            </p>
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
              Print codes
            </Button>
            <Button
              icon="copy"
              onClick={() =>
                void copyText({ text: create.data.codes.join('\n'), what: 'recovery codes', secret: true })
              }
            >
              Copy codes
            </Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
