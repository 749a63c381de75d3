import type { ProcessStep } from '../../domain/site/service.ts';

/** Time span of a step, in weeks from the start of the first step. */
interface Span {
  readonly start: number;
  /** Shortest and longest duration. An ongoing step has a shortest duration of 0 and fills the rest of the calendar. */
  readonly least: number;
  readonly most: number;
}

export type ScheduledStep = ProcessStep & { readonly span: Span };

/** Weeks in each unit. A week has five working days. A month is a twelfth of 52 weeks. */
const weeksIn = { day: 1 / 5, week: 1, month: 52 / 12 } as const;
const pattern = /^(up to )?(\d+)(?:[-–](\d+))? (day|week|month)s?$/i;
const goesOn = /^ongoing$/i;

/** Width of ongoing steps, as a share of the total length of the other steps. */
const openEnd = 0.2;

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * Schedules steps one after another, each with its longest duration.
 * @param steps with durations as printed: '2 weeks', '1–3 weeks', '3–5 days', 'Up to 1 month', 'Ongoing'.
 * @returns the steps with their time spans, and the width of the calendar in weeks.
 * @throws {RangeError} if a duration has another format.
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
