import { type ReactNode, createContext, startTransition, use, useState } from 'react';

/** An image from the media library, with the fields that an editor or a form needs. */
export interface PickedMedia {
  /** A path on this site. */
  readonly url: string;
  /** The image's text alternative; empty until an admin writes one. */
  readonly alt: string;
  /** Whether the image adds no information to the text, and needs no text alternative. */
  readonly decorative: boolean;
  /** In pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
}

type OnPick = (picked: PickedMedia | null) => void;

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
  const answer = (picked: PickedMedia | null) => {
    setOpen(false);
    onPick(picked);
  };
  return [() => startTransition(() => setOpen(true)), isOpen && pickerFor(answer)];
}
