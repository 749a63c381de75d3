import { type SubmitEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { type ChangedPassword, type PasswordChange, passwordChange, passwordFields } from '../../domain/account.ts';
import { fieldErrors } from '../../domain/errors.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { useSession } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { errorText } from '../lib/error-text.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useChangePassword } from './queries.ts';

/**
 * Changes the admin's own password. Requires the current password, so nobody can take over the account through an
 * unattended session.
 */
export function PasswordPanel() {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const change = useChangePassword();
  const session = useSession();

  const refuse = (found: Readonly<Record<string, string>>) => {
    setErrors(found);
    (found.current ? current : next).current?.select();
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const parsed = z.safeParse(passwordChange, {
      ...Object.fromEntries(data),
      signOutElsewhere: data.has('signOutElsewhere'),
      removePasskeys: data.has('removePasskeys'),
    });
    change.reset();
    setErrors({});
    if (!parsed.success) return refuse(fieldErrors(parsed.error));
    change.mutate(parsed.data, {
      onSuccess: (changed) => {
        form.reset();
        showToast({ title: 'Password changed', description: changedText(changed, parsed.data) });
      },
      onError: (error) => {
        if (error instanceof ApiError && error.errors) refuse(error.errors);
      },
    });
  };

  const shown = change.isError && Object.keys(errors).length === 0;
  return (
    <SettingsPanel
      title="Password"
      about="We email you when your password changes. If you forget your password, ask the person who manages the server to reset it."
    >
      <form className="grid w-[min(24rem,100%)] justify-items-start gap-4" noValidate onSubmit={submit}>
        {shown && (
          <Notice variant="destructive" title="Couldn’t change the password">
            <p>{errorText(change.error)}</p>
          </Notice>
        )}
        {/* Password managers need the user name to update the right entry. */}
        <input type="text" autoComplete="username" value={session.data?.user.email ?? ''} readOnly hidden />
        <PasswordField
          label={passwordFields.current.label}
          name="current"
          autoComplete="current-password"
          error={errors.current}
          inputRef={current}
        />
        <PasswordField
          label={passwordFields.next.label}
          name="next"
          autoComplete="new-password"
          hint={`At least ${passwordFields.next.min} characters. A few unrelated words work well. Common passwords are refused.`}
          error={errors.next}
          inputRef={next}
        />
        <label className="check">
          <input type="checkbox" name="signOutElsewhere" defaultChecked />
          <span>Sign out everywhere else</span>
        </label>
        <label className="check">
          <input type="checkbox" name="removePasskeys" />
          <span>
            Remove all passkeys
            <span className="field-hint block">
              If someone else may have used your account, make sure that both boxes are checked.
            </span>
          </span>
        </label>
        <Button type="submit" look="primary" pending={change.isPending} pendingLabel="Changing…">
          Change password
        </Button>
      </form>
    </SettingsPanel>
  );
}

function changedText(
  { ended, passkeysRemoved }: ChangedPassword,
  { signOutElsewhere, removePasskeys }: PasswordChange,
): string {
  const sessions = ended === 1 ? 'One other session was ended.' : `${ended} other sessions were ended.`;
  const passkeys = passkeysRemoved === 1 ? 'One passkey was removed.' : `${passkeysRemoved} passkeys were removed.`;
  return [
    ...(signOutElsewhere ? [ended === 0 ? 'There were no other sessions.' : sessions] : []),
    ...(removePasskeys ? [passkeysRemoved === 0 ? 'You had no passkeys.' : passkeys] : []),
  ].join(' ');
}
