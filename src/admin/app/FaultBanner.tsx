import { useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type HealthReport, forwardFault, healthParts, healthReport, notChecked } from '../../domain/site-status.ts';
import { Icon } from '../ui/Icon.tsx';

/** The interval between health checks, in milliseconds. The browser skips the checks while the page is hidden. */
const askedEveryMs = 60_000;

/**
 * Fetches the health report. Reads the body even if the status is 503, which the server sends when a part of the site
 * fails. Returns null for JSON of another form. Throws if the body is not JSON, as from a proxy.
 */
async function readHealth(signal: AbortSignal): Promise<HealthReport | null> {
  const response = await fetch(apiPaths.health, { signal });
  const parsed = healthReport.safeParse(await response.json());
  return parsed.success ? parsed.data : null;
}

/**
 * A banner on every screen while a part of the site fails: what happened, what to do, and a link to the site status.
 */
export function FaultBanner() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => readHealth(signal),
    refetchInterval: askedEveryMs,
    refetchOnMount: 'always',
  });
  const report = health.data;
  const faults = report ? healthParts.map((part) => report[part]).filter(isFault) : [];
  return (
    <div role="status">
      {faults.length > 0 && (
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 bg-alert px-(--gutter) py-2 text-on-alert md:grid-cols-[auto_minmax(0,1fr)_auto] md:items-center max-md:[&>svg]:mt-1">
          <Icon name="warning" />
          <div className="grid gap-1 wrap-anywhere">
            {faults.map((words) => (
              <p key={words}>{words.replace(/\.?$/, '.')}</p>
            ))}
            <p>{forwardFault}</p>
          </div>
          <a
            className="inline-flex min-h-(--control) items-center justify-self-start whitespace-nowrap text-on-alert semibold max-md:col-start-2"
            href="/admin?tab=settings#site-status"
          >
            Open Site status
          </a>
        </div>
      )}
    </div>
  );
}

/** Returns whether a part of the site fails. `words` is `ok`, `notChecked`, or the error message of a failing part. */
function isFault(words: string): boolean {
  return words !== 'ok' && words !== notChecked;
}
