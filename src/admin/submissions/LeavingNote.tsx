import { leavingDays } from '../../domain/application.ts';
import { Icon } from '../ui/Icon.tsx';

/** Says that applications are soon deleted by themselves, while one can still save what has to stay. */
export function LeavingNote({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="leaving-note">
      <Icon name="clock" />
      <span>
        {count === 1 ? '1 application' : `${count} applications`} will be deleted within {leavingDays} days, as the
        privacy policy says. Each shows the day.
      </span>
    </p>
  );
}
