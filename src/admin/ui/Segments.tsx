import { numberText } from '../../domain/number-words.ts';

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** The number of rows; null reserves space while the number loads. */
  readonly count?: number | null | undefined;
}

interface SegmentsProps<T> {
  label: string;
  choices: readonly Choice<T>[];
  chosen: T;
  onChoose: (value: T) => void;
}

/** A group of buttons, of which one is selected. */
export function Segments<T extends string>({ label, choices, chosen, onChoose }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(({ value, label: words, count }) => (
        <button
          key={value}
          type="button"
          className="button button-secondary segment"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
        >
          {words}
          {count !== undefined && <span className="segment-count">{count !== null && numberText(count)}</span>}
        </button>
      ))}
    </div>
  );
}
