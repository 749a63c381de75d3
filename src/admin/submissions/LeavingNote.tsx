import { leavingDays } from '../../domain/application.ts';
import { Icon } from '../ui/Icon.tsx';

/** Says that applications will soon be deleted, while an admin can still keep one. */
export function LeavingNote({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="leaving-note">
      <Icon name="clock" />
      <span>
        {count === 1 ? '1 application' : `${count} applications`} will be deleted within {leavingDays} days, as the
        privacy policy says. Open one to see the day, or to keep it.
      </span>
    </p>
  );
}
