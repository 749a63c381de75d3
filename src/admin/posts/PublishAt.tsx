import type { InputHTMLAttributes, ReactNode, RefObject } from 'react';
import { zonedTimeText } from '../../lib/dates.ts';
import { IconButton } from '../ui/Button.tsx';
import { fieldTime, momentOf } from './schedule.ts';

interface PublishAtProps {
  field: Pick<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name' | 'aria-invalid' | 'aria-describedby'>;
  inputRef: RefObject<HTMLInputElement | null>;
  /** ISO 8601, UTC; '' for none. */
  moment: string;
  problem: ReactNode;
  onChange: (moment: string) => void;
}

/** When a draft is published by itself, in the zone of the person who says so. */
export function PublishAt({ field, inputRef, moment, problem, onChange }: PublishAtProps) {
  const hint = `${field.id}-hint`;
  return (
    <div className="field">
      <label htmlFor={field.id}>Publish at</label>
      <div className="publish-at">
        <input
          {...field}
          ref={inputRef}
          type="datetime-local"
          aria-describedby={field['aria-describedby'] ?? hint}
          value={fieldTime(moment)}
          onChange={(event) => onChange(momentOf(event.target.value))}
        />
        {moment && (
          <IconButton
            icon="cross"
            label="Clear the time"
            onClick={() => {
              onChange('');
              inputRef.current?.focus();
            }}
          />
        )}
      </div>
      {problem || (
        <p className="field-hint" id={hint}>
          {moment
            ? `It appears on the blog by itself on ${zonedTimeText(moment)}.`
            : `Optional: it then appears by itself. Your time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
        </p>
      )}
    </div>
  );
}
