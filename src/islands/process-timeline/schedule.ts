/** When a step runs, in weeks from the start of the first. */
export interface Span {
  readonly start: number;
  /** Length at least and at most; null where it goes on. */
  readonly least: number;
  readonly most: number | null;
}

export interface Schedule {
  readonly spans: readonly Span[];
  /** Weeks until all has ended; what goes on has some room after them. */
  readonly weeks: number;
}

/** A week has five working days, a year twelve months. */
const weeksIn = { day: 1 / 5, week: 1, month: 52 / 12 } as const;
const pattern = /^(up to )?(\d+)(?:-(\d+))? (day|week|month)s?$/i;

/** Room for a step that goes on, as a share of the rest. */
const openEnd = 0.2;

/**
 * Lays steps end to end, each as long as it may take.
 * @param durations as printed: '2 weeks', '1-3 weeks', '3-5 days', 'Up to 1 month', 'Ongoing'.
 * @throws {RangeError} where a duration is none of these.
 */
export function scheduleOf(durations: readonly string[]): Schedule {
  let start = 0;
  const spans = durations.map((duration): Span => {
    if (/^ongoing$/i.test(duration)) return { start, least: 0, most: null };
    const [, upTo, one, other, unit] = pattern.exec(duration) ?? [];
    if (one === undefined) throw new RangeError(`This duration cannot be drawn: ${duration}`);
    const size = weeksIn[unit?.toLowerCase() as keyof typeof weeksIn];
    const most = Number(other ?? one) * size;
    const span = { start, least: upTo ? 0 : Number(one) * size, most };
    start += most;
    return span;
  });
  return { spans, weeks: spans.some(({ most }) => most === null) ? start * (1 + openEnd) : start };
}
