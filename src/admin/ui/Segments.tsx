const number = new Intl.NumberFormat('en-US');

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** How many there are; null keeps room for a number that is on its way. */
  readonly count?: number | null | undefined;
}

interface SegmentsProps<T> {
  label: string;
  choices: readonly Choice<T>[];
  chosen: T;
  onChoose: (value: T) => void;
}

/** A few choices side by side, of which one holds. */
export function Segments<T extends string>({ label, choices, chosen, onChoose }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(({ value, label: words, count }) => (
        <button
          key={value}
          type="button"
          className="segment"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
        >
          {words}
          {count !== undefined && <span className="segment-count">{count !== null && number.format(count)}</span>}
        </button>
      ))}
    </div>
  );
}
