import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useCallback } from 'react';
import { altField, decorativeLabel } from '../../../domain/site/media.ts';
import { captionField } from '../../../domain/posts/post-input.ts';
import { Check, TextField } from '../../ui/Field.tsx';

export interface PictureAttributes {
  readonly src: string;
  /** The text alternative for people who cannot see the image. */
  readonly alt: string;
  /** Whether the image adds no information to the text; such an image needs no text alternative. */
  readonly decorative: boolean;
  readonly caption: string;
  readonly width: string | number | null;
  readonly height: string | number | null;
}

const fieldsClass = 'picture-fields';

/** Whether an event comes from the fields under an image. The editor ignores such events. */
export const isInPictureFields = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`.${fieldsClass}`) !== null;

/**
 * Focuses the description field of an image.
 * @returns false if the field is not shown.
 */
export function focusDescription(picture: Node | null): boolean {
  const field = picture instanceof Element ? picture.querySelector<HTMLElement>(`.${fieldsClass} input`) : null;
  field?.focus();
  return field !== null;
}

/** An image in the text. Its fields appear below the image while the image is selected or has no description. */
export function PictureView({ node, selected, editor, getPos, updateAttributes }: ReactNodeViewProps) {
  const { src, alt, decorative, caption, width, height } = node.attrs as PictureAttributes;
  const open = selected || (!decorative && alt.trim() === '');

  // A native listener, because the dialog around the editor would handle Esc before React's handlers run.
  const listen = useCallback(
    (fields: HTMLElement | null) => {
      const onKeyDown = (event: KeyboardEvent) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.preventDefault();
        editor.commands.focus(undefined, { scrollIntoView: false });
      };
      fields?.addEventListener('keydown', onKeyDown);
      return () => fields?.removeEventListener('keydown', onKeyDown);
    },
    [editor],
  );
  // Selects the image. Otherwise, its fields would disappear after the first letter of a description.
  const select = () => {
    const position = getPos();
    if (position !== undefined && !selected) editor.commands.setNodeSelection(position);
  };

  return (
    <NodeViewWrapper>
      <figure className="m-0">
        <img data-drag-handle="" src={src} alt={alt} width={width ?? undefined} height={height ?? undefined} />
        {open ? (
          <div
            ref={listen}
            className={`${fieldsClass} mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-x-4 gap-y-2 bg-paper p-3 *:last:col-span-full text-sm/[1.45] text-ink rule-rule-strong`}
            onFocus={select}
          >
            <TextField
              label={altField.label}
              value={alt}
              disabled={decorative}
              maxLength={altField.max}
              placeholder="What the picture shows"
              onText={(text) => updateAttributes({ alt: text })}
            />
            <TextField
              label={captionField.label}
              value={caption}
              maxLength={captionField.max}
              placeholder="Shown under the picture"
              onText={(text) => updateAttributes({ caption: text })}
            />
            <Check
              label={decorativeLabel}
              checked={decorative}
              onChange={({ target: { checked } }) =>
                updateAttributes({ decorative: checked, ...(checked && { alt: '' }) })
              }
            />
          </div>
        ) : (
          caption && <figcaption>{caption}</figcaption>
        )}
      </figure>
    </NodeViewWrapper>
  );
}
