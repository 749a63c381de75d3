import type { SubmitEvent } from 'react';
import { type ChangedPassword, type PasswordChange, passwordChange, passwordFields } from '../../domain/account.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { useSession } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { errorText } from '../lib/error-text.ts';
import { useValidation } from '../lib/use-validation.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useChangePassword } from './queries.ts';

/**
 * Changes the admin's own password. Requires the current password, so nobody can take over the account through an
 * unattended session.
 */
export function PasswordPanel() {
  const { form, errors, show, check } = useValidation();
  const change = useChangePassword();
  const session = useSession();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    change.reset();
    const data = new FormData(event.currentTarget);
    const wanted = check(passwordChange, {
      ...Object.fromEntries(data),
      signOutElsewhere: data.has('signOutElsewhere'),
      removePasskeys: data.has('removePasskeys'),
    });
    if (!wanted) return;
    change.mutate(wanted, {
      onSuccess: (changed) => {
        form.current?.reset();
        showToast({ title: 'Password changed', description: changedText(changed, wanted) });
      },
      onError: (error) => {
        if (error instanceof ApiError && error.errors) show(error.errors);
      },
    });
  };

  return (
    <SettingsPanel
      title="Password"
      about="We email you when your password changes. If you forget your password, ask the person who manages the server to reset it."
    >
      <form ref={form} className="grid w-[min(24rem,100%)] justify-items-start gap-4" noValidate onSubmit={submit}>
        {change.isError && Object.keys(errors).length === 0 && (
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
        />
        <PasswordField
          label={passwordFields.next.label}
          name="next"
          autoComplete="new-password"
          hint={`At least ${passwordFields.next.min} characters. A few unrelated words work well. Common passwords are refused.`}
          error={errors.next}
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
