import type { MediaRecord } from '../../domain/media.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';
import { usePutBack } from './queries.ts';

/** Puts back what a file took the place of, and says so; the screen that asked for it may be gone by then. */
export function useFormerFile() {
  const { mutateAsync, isPending } = usePutBack();
  return {
    isPending,
    putBack: async (file: MediaRecord): Promise<void> => {
      try {
        const { originalName } = await mutateAsync(file);
        showToast({ title: 'The former file is back', description: originalName });
      } catch (error) {
        const title = 'The former file was not put back';
        showToast({ title, description: errorText(error), variant: 'destructive' });
      }
    },
  };
}
