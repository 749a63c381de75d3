import type { MediaRecord } from '../../domain/media.ts';
import { withNotice } from '../ui/with-notice.ts';
import { usePutBack } from './queries.ts';

/** Puts back what a file took the place of, and says so. */
export function useFormerFile() {
  const { mutateAsync, isPending } = usePutBack();
  return {
    isPending,
    putBack: (file: MediaRecord): Promise<void> =>
      withNotice(
        mutateAsync(file),
        ({ originalName }) => ({ title: 'The former file is back', description: originalName }),
        'The former file was not put back',
      ),
  };
}
