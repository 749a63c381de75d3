import { useCallback } from 'react';

/**
 * Shows an image that was chosen on this device and has not been uploaded. The ref callback creates an object URL, and
 * revokes it when the image leaves the page or the file changes.
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
