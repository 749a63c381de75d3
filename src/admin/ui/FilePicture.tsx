import { useCallback } from 'react';

/**
 * A picture that was chosen on this machine and not sent. Its address is made as it comes to the page, and given back as it
 * goes or shows another file: it lives as long as it is shown.
 */
export function FilePicture({ file }: { file: Blob }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      const address = URL.createObjectURL(file);
      picture.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
  return <img ref={show} alt="" />;
}
