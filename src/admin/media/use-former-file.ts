import type { MediaRecord } from '../../domain/media.ts';
import { withToast } from '../lib/with-toast.ts';
import { usePutBack } from './queries.ts';

/** Returns `putBack`, which undoes the last replacement of a file and shows a toast. */
export function useFormerFile() {
  const { mutateAsync, isPending } = usePutBack();
  return {
    isPending,
    putBack: (file: MediaRecord): Promise<void> =>
      withToast(
        mutateAsync(file),
        ({ originalName }) => ({ title: 'Previous file restored', description: originalName }),
        'Couldn’t restore the previous file',
      ),
  };
}
