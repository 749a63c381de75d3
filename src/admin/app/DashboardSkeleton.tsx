import { AdminFrame } from './AdminShell.tsx';
import { CountCardsSkeleton } from './CountCards.tsx';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminTabs } from './tabs.ts';

/** The dashboard's HTML while the session is checked. Has the final sizes, so the layout does not shift. */
export function DashboardSkeleton({ siteName }: { siteName: string }) {
  return (
    <AdminFrame siteName={siteName} cards={<CountCardsSkeleton />}>
      <p className="unseen" role="status">
        Loading the dashboard…
      </p>
      <div className="tab-list" aria-hidden="true">
        {adminTabs.map(({ id, label }) => (
          <span key={id} className="tab">
            <span className="skeleton skeleton-words">{label}</span>
          </span>
        ))}
      </div>
      <ScreenSkeleton />
    </AdminFrame>
  );
}
