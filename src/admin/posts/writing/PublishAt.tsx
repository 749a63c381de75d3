import { useRef } from 'react';
import { postFields } from '../../../domain/post-fields.ts';
import { zonedTimeText } from '../../../lib/dates.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { fieldTime, momentOf } from './schedule.ts';

interface PublishAtProps {
  /** ISO 8601, UTC; '' if no time is set. */
  moment: string;
  error: string | undefined;
  onChange: (moment: string) => void;
}

/** The field for the time at which the site publishes a draft, in the admin's time zone. */
export function PublishAt({ moment, error, onChange }: PublishAtProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field
      label={postFields.publishAt.label}
      error={error}
      hint={
        error
          ? undefined
          : moment
            ? `The site will publish the post on ${zonedTimeText(moment)}.`
            : `Optional. The site publishes the post at this time. Your time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
      }
    >
      {(control) => (
        <div className="flex gap-1">
          <input
            {...control}
            name="publishAt"
            ref={input}
            type="datetime-local"
            value={fieldTime(moment)}
            onChange={(event) => onChange(momentOf(event.target.value))}
          />
          {moment && (
            <IconButton
              icon="cross"
              label="Clear time"
              onClick={() => {
                onChange('');
                input.current?.focus();
              }}
            />
          )}
        </div>
      )}
    </Field>
  );
}
