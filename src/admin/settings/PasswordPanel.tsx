import { type SubmitEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { passwordChange, shortestPassword } from '../../domain/account.ts';
import { fieldErrors } from '../../domain/errors.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { useSession } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { errorText } from '../ui/error-text.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useChangePassword } from './queries.ts';

/** One's own password. The current one is asked for: a session left open must not give the account away. */
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
    const parsed = z.safeParse(passwordChange, Object.fromEntries(new FormData(form)));
    change.reset();
    setErrors({});
    if (!parsed.success) return refuse(fieldErrors(parsed.error));
    change.mutate(parsed.data, {
      onSuccess: ({ ended }) => {
        form.reset();
        showToast({ title: 'Your password was changed', description: endedText(ended) });
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
      about="Changing it signs you out everywhere but here. Lost it? Whoever runs the site gives you another one from the command line."
    >
      <form className="settings-form" noValidate onSubmit={submit}>
        {shown && (
          <Notice variant="destructive" title="The password was not changed">
            <p>{errorText(change.error)}</p>
          </Notice>
        )}
        {/* Password managers ask whose password it is. */}
        <input type="text" autoComplete="username" value={session.data?.user.email ?? ''} readOnly hidden />
        <PasswordField
          label="Current password"
          name="current"
          autoComplete="current-password"
          error={errors.current}
          inputRef={current}
        />
        <PasswordField
          label="New password"
          name="next"
          autoComplete="new-password"
          hint={`At least ${shortestPassword} characters. A few words that belong together only for you are best.`}
          error={errors.next}
          inputRef={next}
        />
        <Button type="submit" look="primary" pending={change.isPending} pendingLabel="Changing…">
          Change password
        </Button>
      </form>
    </SettingsPanel>
  );
}

function endedText(ended: number): string {
  if (ended === 0) return 'You were signed in nowhere else.';
  return ended === 1 ? 'One other session was ended.' : `${ended} other sessions were ended.`;
}
