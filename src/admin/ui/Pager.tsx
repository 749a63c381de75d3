import { Button } from './Button.tsx';
import { DateTime } from './DateTime.tsx';

interface PagerProps {
  /** Which rows are shown; empty while others are on their way. */
  range: string;
  /** When the list was read from the API, in milliseconds since 1970; 0 while another page is on its way. */
  readAt: number;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** The next page is likely to be asked for. */
  onNear: () => void;
}

/** Where in the list the rows are, how fresh they are, and the ways on. */
export function Pager({ range, readAt, onPrevious, onNext, onNear }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages" data-keep-clear="">
      <div className="pager-words">
        <p role="status" className="figures">
          {range}
        </p>
        {readAt > 0 && (
          <p className="list-updated">
            Updated <DateTime iso={new Date(readAt).toISOString()} />
          </p>
        )}
      </div>
      {(onPrevious ?? onNext) && (
        <>
          <Button icon="left" onClick={onPrevious} unavailable={!onPrevious}>
            Previous
          </Button>
          <Button icon="right" onClick={onNext} onPointerEnter={onNear} unavailable={!onNext}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
