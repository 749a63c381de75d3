import { type ReactNode, useCallback, useState } from 'react';
import { fetched } from '../ui/fetched.tsx';
import { type PickMedia, type PickedMedia, PickMediaProvider } from '../ui/pick-media.ts';

const MediaPicker = fetched(() => import('./MediaPicker.tsx'));

/** Gives the screens within it the media library to choose a picture from; its code is fetched when one asks. */
export function PickMediaHost({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<{ answer: (picked: PickedMedia | null) => void }>();
  const pick = useCallback<PickMedia>(
    () =>
      new Promise((resolve) => {
        const answer = (picked: PickedMedia | null) => {
          setAsking(undefined);
          resolve(picked);
        };
        setAsking({ answer });
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
