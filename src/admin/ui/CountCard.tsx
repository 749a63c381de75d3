import { numberText } from '../../domain/number-words.ts';

interface CountCardProps {
  label: string;
  /** Undefined while the count loads, or if loading failed. */
  count: number | undefined;
  failed: boolean;
}

/** A number on the dashboard. */
export function CountCard({ label, count, failed }: CountCardProps) {
  return (
    <div className="count-card">
      <dt>{label}</dt>
      <dd>
        {count !== undefined && numberText(count)}
        {count === undefined && (failed ? '–' : <span className="skeleton skeleton-figure" aria-hidden="true" />)}
      </dd>
    </div>
  );
}
