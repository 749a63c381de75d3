import { type ComponentType, type ReactNode, createContext, startTransition, use, useCallback, useState } from 'react';

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

interface PickMediaHostProps {
  /** The dialog. A prop, because this module must not import the media library (docs/architecture.md#modules). */
  Picker: ComponentType<{ onPick: (picked: PickedMedia | null) => void }>;
  children: ReactNode;
}

/** Lets the components inside it open the media library to choose an image. */
export function PickMediaHost({ Picker, children }: PickMediaHostProps) {
  const [asking, setAsking] = useState<{ answer: (picked: PickedMedia | null) => void }>();
  const pick = useCallback<PickMedia>(
    () =>
      new Promise((resolve) => {
        const answer = (picked: PickedMedia | null) => {
          setAsking(undefined);
          resolve(picked);
        };
        startTransition(() => setAsking({ answer }));
      }),
    [],
  );
  return (
    <PickMediaContext value={pick}>
      {children}
      {asking && <Picker onPick={asking.answer} />}
    </PickMediaContext>
  );
}

/** Returns the function that opens the media library; null if the app provides none. */
export function usePickMedia(): PickMedia | null {
  return use(PickMediaContext);
}
