import { type ApplicationRecord, leavingDays } from '../../domain/application.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { useKeep } from './queries.ts';

/** Shows when an application will be deleted, with a check box that keeps it. */
export function KeepField({ application }: { application: ApplicationRecord }) {
  const keep = useKeep();
  const kept = keep.isPending ? keep.variables.kept : application.kept;
  return (
    <>
      <h3>Retention</h3>
      <p>
        {kept ? (
          <>We won’t delete this application. If you clear the box, we’ll email you {leavingDays} days before we do.</>
        ) : (
          <>
            This application and its resume will be deleted on <DateTime iso={application.keptUntil} />.
          </>
        )}
      </p>
      <label className="check">
        <input
          type="checkbox"
          checked={kept}
          disabled={keep.isPending}
          onChange={(event) => keep.mutate({ application, kept: event.target.checked })}
        />
        <span>Keep after deletion date</span>
      </label>
    </>
  );
}
