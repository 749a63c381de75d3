import { postFields } from '../../../domain/post-input.ts';
import { isPictureAddress } from '../../../domain/web-address.ts';
import { usePickMedia } from '../../lib/pick-media.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';

interface FeaturedImageProps {
  address: string;
  error: string | undefined;
  onChange: (address: string) => void;
}

/** The field for a post's featured image: a URL, or an image that is in the media library or uploaded there. */
export function FeaturedImage({ address, error, onChange }: FeaturedImageProps) {
  const pick = usePickMedia();
  const choose = async () => {
    const picked = await pick?.();
    if (picked) onChange(picked.url);
  };
  return (
    <Field
      label={postFields.featuredImage.label}
      error={error}
      after={
        <Button icon="picture" onClick={() => void choose()}>
          Choose or upload picture
        </Button>
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
