import { createContext, use } from 'react';

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

/**
 * Opens the media library so the admin can choose an image.
 * @returns null if the admin chose no image.
 */
export type PickMedia = () => Promise<PickedMedia | null>;

const PickMediaContext = createContext<PickMedia | null>(null);

/** Provides the picker to modules that must not import the media module (docs/architecture.md#modules). */
export const PickMediaProvider = PickMediaContext;

/** Returns the function that opens the media library; null if the app provides none. */
export function usePickMedia(): PickMedia | null {
  return use(PickMediaContext);
}
