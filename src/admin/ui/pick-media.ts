import { createContext, use } from 'react';

/** A picture of the media library, as a text or a form takes it. */
export interface PickedMedia {
  /** A path of this site. */
  readonly url: string;
  /** What the picture shows; empty until somebody describes it. */
  readonly alt: string;
  /** The picture says nothing that the text does not. */
  readonly decorative: boolean;
  /** In pixels; null where the library does not know. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Lets the admin choose a picture of the media library. @returns null where they chose none. */
export type PickMedia = () => Promise<PickedMedia | null>;

const PickMediaContext = createContext<PickMedia | null>(null);

/** Provided by the app, so that a noun can offer the library without knowing it. */
export const PickMediaProvider = PickMediaContext;

/** How a screen asks for a picture of the media library; null where there is no library to ask. */
export function usePickMedia(): PickMedia | null {
  return use(PickMediaContext);
}
