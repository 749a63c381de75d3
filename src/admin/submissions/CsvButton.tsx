import { DownloadButton } from '../ui/DownloadButton.tsx';
import { listSearch } from '../lib/list.ts';
import { type KindName, kinds } from './kinds.ts';
import type { SubmissionList } from './list.ts';

interface CsvButtonProps {
  kind: KindName;
  view: ReturnType<SubmissionList['read']>;
}

/** Exports all pages of the filtered list as CSV. */
export function CsvButton({ kind, view: { status, q, sort } }: CsvButtonProps) {
  return (
    <DownloadButton
      fresh
      look="quiet"
      title="Export CSV"
      href={kinds[kind].paths.csv + listSearch({ status, q, sort })}
      failure="Couldn’t export"
    >
      Export CSV
    </DownloadButton>
  );
}
