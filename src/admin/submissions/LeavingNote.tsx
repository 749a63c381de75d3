import { leavingDays } from '../../domain/application.ts';
import { Icon } from '../ui/Icon.tsx';

/** Warns that applications will soon be deleted, while an admin can still prevent the deletion. */
export function LeavingNote({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="flex gap-2 py-2.5 text-xs rule-t-rule [&>svg]:mt-0.5">
      <Icon name="clock" />
      <span>
        {count === 1 ? '1 application' : `${count} applications`} will be deleted within {leavingDays} days, as the
        privacy policy promises. To keep an application, open it and select “Keep after deletion date.”
      </span>
    </p>
  );
}
