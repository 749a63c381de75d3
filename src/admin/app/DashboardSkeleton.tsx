import { AdminFrame } from './AdminFrame.tsx';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminTabs } from './tabs.ts';

/** The labels of the count cards next to the dashboard's heading (docs/product.md#admin-area). */
const cardLabels = ['Contact Submissions', 'Blog Posts', 'Media Files', 'Published Posts'];

/** The count cards, shown while the session is checked. */
function CardsSkeleton() {
  return (
    <div className="count-cards" aria-hidden="true">
      {cardLabels.map((label) => (
        <div key={label} className="count-card">
          <span className="skeleton skeleton-words">{label}</span>
          <span className="skeleton skeleton-figure" />
        </div>
      ))}
    </div>
  );
}

/** The dashboard's HTML while the session is checked. Has the final sizes, so the layout does not shift. */
export function DashboardSkeleton({ siteName }: { siteName: string }) {
  return (
    <AdminFrame siteName={siteName} cards={<CardsSkeleton />}>
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
