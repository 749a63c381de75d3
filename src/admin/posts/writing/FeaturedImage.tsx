import { useRef, useState } from 'react';
import { postFields } from '../../../domain/post-input.ts';
import { isPictureAddress } from '../../../domain/web-address.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { errorText } from '../../lib/act.ts';
import type { PickMedia, PickedMedia } from '../../lib/pick-media.ts';

interface FeaturedImageProps {
  address: string;
  error: string | undefined;
  onChange: (address: string) => void;
  pick: PickMedia | null;
  upload: (file: File) => Promise<PickedMedia>;
}

/** The field for a post's featured image: a URL, an image from the media library, or an upload. */
export function FeaturedImage({ address, error, onChange, pick, upload }: FeaturedImageProps) {
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
    <Field
      label={postFields.featuredImage.label}
      error={error}
      after={
        <div className="actions">
          {pick && (
            <Button icon="picture" onClick={() => void choose()}>
              Choose from library
            </Button>
          )}
          <Button icon="plus" onClick={() => file.current?.click()} pending={sending} pendingLabel="Uploading…">
            Upload
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
      }
    >
      {(control) => (
        <>
          {isPictureAddress(address) && (
            <img className="block h-auto max-h-40 max-w-full rule-rule" src={address} alt="" />
          )}
          <input
            {...control}
            name="featuredImage"
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Web address, or path on this site"
            value={address}
            onChange={(event) => onChange(event.target.value)}
          />
        </>
      )}
    </Field>
  );
}
