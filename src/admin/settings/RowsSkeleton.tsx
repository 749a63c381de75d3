/** Placeholders in the size of a setting's rows, shown while the rows load. */
export function RowsSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <>
      <p className="unseen" role="status">
        {label}
      </p>
      <div className="rows" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index}>
            <span className="skeleton skeleton-text w-3/5" />
          </div>
        ))}
      </div>
    </>
  );
}
