import type { ShownList } from '../lib/use-list.ts';
import { Button } from './Button.tsx';
import { DateTime } from './DateTime.tsx';

/** Shows which rows are visible, when they were fetched, and buttons for other pages. */
export function Pager({ list: { page, range, navigation, prefetchNext } }: { list: ShownList }) {
  const { older, newer } = navigation;
  if (page.data === undefined) return null;
  return (
    <nav className="pager" aria-label="Pages" data-keep-clear="">
      <div className="flex flex-1 flex-wrap gap-x-6">
        <p role="status" className="figures">
          {range}
        </p>
        {page.dataUpdatedAt > 0 && (
          <p className="text-xs text-ink-soft">
            Updated <DateTime iso={new Date(page.dataUpdatedAt).toISOString()} />
          </p>
        )}
      </div>
      {(newer ?? older) && (
        <>
          <Button icon="left" onClick={newer} unavailable={!newer}>
            Previous
          </Button>
          <Button icon="right" onClick={older} onPointerEnter={prefetchNext} unavailable={!older}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
