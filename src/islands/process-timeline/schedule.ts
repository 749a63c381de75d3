import type { ProcessStep } from '../../domain/service.ts';

/** When a step runs, in weeks from the start of the first. */
interface Span {
  readonly start: number;
  /** Length at least and at most. A step that goes on has no least and takes all the room there is. */
  readonly least: number;
  readonly most: number;
}

export type ScheduledStep = ProcessStep & { readonly span: Span };

/** A week has five working days, a year twelve months. */
const weeksIn = { day: 1 / 5, week: 1, month: 52 / 12 } as const;
const pattern = /^(up to )?(\d+)(?:-(\d+))? (day|week|month)s?$/i;
const goesOn = /^ongoing$/i;

/** Room for a step that goes on, as a share of the rest. */
const openEnd = 0.2;

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * Lays steps end to end, each as long as it may take.
 * @param steps with durations as printed: '2 weeks', '1-3 weeks', '3-5 days', 'Up to 1 month', 'Ongoing'.
 * @returns the steps with their spans, and the width of the calendar in weeks.
 * @throws {RangeError} where a duration is none of these.
 */
export function scheduleOf(steps: readonly ProcessStep[]): { steps: ScheduledStep[]; weeks: number } {
  const lengths = steps.map(({ duration }) => (goesOn.test(duration) ? null : lengthOf(duration)));
  const fixed = lengths.reduce((sum, length) => sum + (length?.most ?? 0), 0);
  const weeks = round(lengths.includes(null) ? fixed * (1 + openEnd) : fixed);
  let end = 0;
  return {
    weeks,
    steps: steps.map((step, index) => {
      const start = round(end);
      const { least, most } = lengths[index] ?? { least: 0, most: weeks - start };
      end += most;
      return { ...step, span: { start, least: round(least), most: round(most) } };
    }),
  };
}

function lengthOf(duration: string): { least: number; most: number } {
  const [, upTo, one, other, unit] = pattern.exec(duration) ?? [];
  if (one === undefined) throw new RangeError(`This duration cannot be drawn: ${duration}`);
  const size = weeksIn[unit?.toLowerCase() as keyof typeof weeksIn];
  return { least: upTo ? 0 : Number(one) * size, most: Number(other ?? one) * size };
}
