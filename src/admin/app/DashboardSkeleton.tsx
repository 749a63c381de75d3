/** So many cards stand beside the dashboard's heading. */
const countCards = 3;

/** The count cards while authentication is checked. */
export function CardsSkeleton() {
  return (
    <div className="count-cards" aria-hidden="true">
      {Array.from({ length: countCards }, (_, index) => (
        <div key={index} className="count-card">
          <span className="skeleton skeleton-label" />
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
        <span className="tab">
          <span className="skeleton skeleton-tab" />
        </span>
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
