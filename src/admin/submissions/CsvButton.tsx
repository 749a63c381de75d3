import { useMutation } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { errorText } from '../ui/error-text.ts';
import { listSearch } from '../ui/paging.ts';
import { useRequest } from '../ui/signed-in-request.ts';
import { kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

/**
 * Exports what the current filter finds, all pages of it. The browser saves the file while it arrives; it cannot tell
 * why a download was refused, so the session is looked at first.
 */
export function CsvButton({ view }: { view: InboxView }) {
  const send = useRequest();
  const { list, status, q, sort } = view;
  const download = useMutation({
    mutationFn: () => send(apiPaths.authStatus),
    onSuccess: () => {
      const link = document.createElement('a');
      link.href = kinds[list].csv + listSearch({ status, q, sort });
      link.download = '';
      link.click();
    },
    onError: (error) => showToast({ title: 'Could not export', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <Button
      look="quiet"
      icon="download"
      title="Export CSV"
      onClick={() => download.mutate()}
      pending={download.isPending}
    >
      Export CSV
    </Button>
  );
}
