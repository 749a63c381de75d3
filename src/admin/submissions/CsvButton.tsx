import { DownloadButton } from '../ui/DownloadButton.tsx';
import { listSearch } from '../lib/paging.ts';
import { kinds } from './kinds.ts';
import type { inboxUrl } from './list.ts';

/** Exports all pages of the filtered list as CSV. */
export function CsvButton({ view: { list, status, q, sort } }: { view: ReturnType<typeof inboxUrl.read> }) {
  return (
    <DownloadButton
      fresh
      look="quiet"
      title="Export CSV"
      href={kinds[list].paths.csv + listSearch({ status, q, sort })}
      failure="Couldn’t export"
    >
      Export CSV
    </DownloadButton>
  );
}
