import { DownloadButton } from '../ui/DownloadButton.tsx';
import { listSearch } from '../ui/paging.ts';
import { kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

/** Exports what the current filter finds, all pages of it. */
export function CsvButton({ view: { list, status, q, sort } }: { view: InboxView }) {
  return (
    <DownloadButton
      fresh
      look="quiet"
      title="Export CSV"
      href={kinds[list].csv + listSearch({ status, q, sort })}
      failure="Could not export"
    >
      Export CSV
    </DownloadButton>
  );
}
