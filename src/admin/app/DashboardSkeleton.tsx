import { adminTabs } from './tabs.ts';

/** The count cards beside the dashboard's heading, in the order of the specification (§2). */
const cardLabels = ['Contact Submissions', 'Blog Posts', 'Media Files', 'Published Posts'];

/** The count cards while authentication is checked. */
export function CardsSkeleton() {
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

/** The tabs while authentication is checked: of the size that they will have, so that nothing moves. */
export function DashboardSkeleton() {
  return (
    <>
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
    </>
  );
}

/** A tab's content while its code is on the way. */
export function ScreenSkeleton() {
  return (
    <div className="screen-skeleton" aria-hidden="true">
      <span className="skeleton skeleton-bar" />
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className="skeleton skeleton-row" />
      ))}
    </div>
  );
}
