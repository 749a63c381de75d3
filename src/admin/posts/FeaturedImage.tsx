import { type InputHTMLAttributes, type ReactNode, useRef, useState } from 'react';
import { isPictureAddress } from '../../domain/post-text.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { errorText } from '../ui/error-text.ts';
import type { PickMedia, PickedMedia } from '../ui/pick-media.ts';

interface FeaturedImageProps {
  field: InputHTMLAttributes<HTMLInputElement>;
  address: string;
  problem: ReactNode;
  onChange: (address: string) => void;
  pick: PickMedia | null;
  upload: (file: File) => Promise<PickedMedia>;
}

/** The picture above a post: an address, one of the media library, or one of this device. */
export function FeaturedImage({ field, address, problem, onChange, pick, upload }: FeaturedImageProps) {
  const file = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(false);

  const choose = async () => {
    const picked = await pick?.();
    if (picked) onChange(picked.url);
  };
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    setSending(true);
    try {
      onChange((await upload(chosen)).url);
    } catch (error) {
      showToast({ title: 'Failed to upload file', description: errorText(error), variant: 'destructive' });
    } finally {
      setSending(false);
    }
  };

  return (
    <div className="field">
      <label htmlFor={field.id}>Featured picture</label>
      {isPictureAddress(address) && <img className="featured-picture" src={address} alt="" />}
      <input
        {...field}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https address, or a path of this site"
        value={address}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem}
      <div className="offer-actions">
        {pick && (
          <Button icon="picture" onClick={() => void choose()}>
            From the library
          </Button>
        )}
        <Button icon="plus" onClick={() => file.current?.click()} pending={sending} pendingLabel="Uploading…">
          From this device
        </Button>
        <input
          ref={file}
          hidden
          type="file"
          accept="image/*"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
    </div>
  );
}
