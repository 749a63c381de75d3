import { useQuery } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type HealthReport, healthParts, healthReport } from '../../domain/health.ts';
import { Icon } from '../ui/Icon.tsx';

/** How often an open admin page asks; the browser asks only while the page is visible. */
const askedEveryMs = 60_000;

/** The report, also where it comes with status 503: that is when it matters. Null where no report comes. */
async function readHealth(signal: AbortSignal): Promise<HealthReport | null> {
  const response = await fetch(apiPaths.health, { signal });
  const parsed = healthReport.safeParse(await response.json());
  return parsed.success ? parsed.data : null;
}

/** On every screen while something is wrong with the site: what happened, what to do, and where to read more. */
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

/** A part that cannot be looked at while the database does not work says nothing that the database does not. */
function isFault(words: string): boolean {
  return words !== 'ok' && !words.startsWith('Not known');
}
