import { postFields } from '../../../domain/post-input.ts';
import { Field } from '../../ui/Field.tsx';
import { fieldTime, momentOf } from './schedule.ts';

interface PublishAtProps {
  /** ISO 8601, UTC; '' if the time is empty or incomplete. */
  moment: string;
  error: string | undefined;
  onChange: (moment: string) => void;
}

/** The field for the time at which the site publishes a scheduled post, in the admin's time zone. */
export function PublishAt({ moment, error, onChange }: PublishAtProps) {
  return (
    <Field
      label={postFields.publishAt.label}
      error={error}
      hint={`Your time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
    >
      {(control) => (
        <input
          {...control}
          name="publishAt"
          type="datetime-local"
          required
          value={fieldTime(moment)}
          onChange={(event) => onChange(momentOf(event.target.value))}
        />
      )}
    </Field>
  );
}
