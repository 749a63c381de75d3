import { type DragEvent, type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';

interface DropZoneProps {
  /** The accessible name of the zone. */
  label: string;
  /** The label of the button that opens the file picker. */
  choose: string;
  /** The `accept` attribute of the file input. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  /** Describes the files that may be dropped. */
  children: ReactNode;
}

/** A drop zone for files, highlighted while files are dragged over it, with a button for people who do not drag. */
export function DropZone({ label, choose, accept, multiple = false, onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const hint = useId();

  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0) onFiles(multiple ? chosen : chosen.slice(0, 1));
  };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  const onLeave = (event: DragEvent<HTMLElement>) => {
    const to = event.relatedTarget;
    if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };

  return (
    <div
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-[2px] px-5 py-4 [border:1px_dashed_var(--color-rule-strong)] data-over:bg-highlight data-over:[outline:2px_solid_var(--color-accent)] data-over:[outline-offset:-2px]"
      role="group"
      aria-label={label}
      data-over={over || undefined}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={onLeave}
      onDrop={onDrop}
    >
      <div id={hint} className="flex-[1_1_16rem] [&>p]:text-ink-soft [&>strong]:block">
        {children}
      </div>
      <Button icon="upload" aria-describedby={hint} onClick={() => input.current?.click()}>
        {choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          take(event.target.files);
          // Clears the input. Otherwise, no event would fire if the admin chose the same file again.
          event.target.value = '';
        }}
      />
    </div>
  );
}

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
