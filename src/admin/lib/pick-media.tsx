import { type ReactNode, createContext, startTransition, use, useState } from 'react';
import type { MediaRecord } from '../../domain/site/media.ts';

type OnPick = (picked: MediaRecord | null) => void;

/**
 * Renders the dialog of the media library, because the editors of posts must not import the library
 * (docs/architecture.md#modules). The dialog calls `onPick` with null if the admin chose no image.
 */
export const MediaPickerContext = createContext<(onPick: OnPick) => ReactNode>(() => null);

/**
 * Lets the admin choose an image from the media library.
 * @returns a function that opens the library, and the open library, which the component renders.
 */
export function usePickMedia(onPick: OnPick): [open: () => void, library: ReactNode] {
  const pickerFor = use(MediaPickerContext);
  const [isOpen, setOpen] = useState(false);
  const answer = (picked: MediaRecord | null) => {
    setOpen(false);
    onPick(picked);
  };
  return [() => startTransition(() => setOpen(true)), isOpen && pickerFor(answer)];
}
