/** Placeholders, shown while a screen loads. */
export function ScreenSkeleton() {
  return (
    <div className="screen-skeleton grid py-3" aria-hidden="true">
      <span className="skeleton skeleton-bar" />
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className="skeleton skeleton-row" />
      ))}
    </div>
  );
}
