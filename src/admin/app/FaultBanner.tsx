import { useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type HealthReport, healthParts, healthReport, notChecked } from '../../domain/health.ts';
import { Icon } from '../ui/Icon.tsx';

/** The interval between health checks, in milliseconds. The browser skips the checks while the page is hidden. */
const askedEveryMs = 60_000;

/**
 * Fetches the health report. Reads the body even if the status is 503, which the server sends when a part of the site
 * fails. Returns null if the response contains no report.
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
    <div role="status" className="fault-banner-room">
      {faults.length > 0 && (
        <div className="fault-banner">
          <Icon name="warning" />
          <div className="fault-banner-words">
            {faults.map((words) => (
              <p key={words}>{words.replace(/\.?$/, '.')}</p>
            ))}
          </div>
          <a href="/admin?tab=settings#site-status">Open Site status</a>
        </div>
      )}
    </div>
  );
}

/** Whether a part of the report describes a failure. */
function isFault(words: string): boolean {
  return words !== 'ok' && words !== notChecked;
}
