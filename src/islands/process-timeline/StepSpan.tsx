import type { Span } from './schedule.ts';

interface Props {
  span: Span;
  /** Width of the calendar. */
  weeks: number;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** A step's place on the calendar: full as long as it takes at least, open to what it may take. */
export default function StepSpan({ span: { start, least, most }, weeks }: Props) {
  const from = round(start);
  return (
    <svg className="span" viewBox={`0 0 ${round(weeks)} 4`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="most" x={from} width={round(most ?? weeks - start)} height="4" />
      {least > 0 && <rect x={from} width={round(least)} height="4" />}
    </svg>
  );
}
