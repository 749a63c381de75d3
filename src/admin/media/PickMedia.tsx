import { type ReactNode, startTransition, useCallback, useState } from 'react';
import { fetched } from '../lib/fetched.tsx';
import { type PickMedia, type PickedMedia, PickMediaProvider } from '../lib/pick-media.ts';

const MediaPicker = fetched(() => import('./MediaPicker.tsx'));

/** Lets the components inside it open the media library to choose an image. The picker's code loads on first use. */
export function PickMediaHost({ children }: { children: ReactNode }) {
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
    <PickMediaProvider value={pick}>
      {children}
      {asking && <MediaPicker onPick={asking.answer} />}
    </PickMediaProvider>
  );
}
