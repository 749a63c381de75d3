import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useCallback, useId } from 'react';

export interface PictureAttributes {
  readonly src: string;
  /** What the picture shows, for people who cannot see it. */
  readonly alt: string;
  /** The picture says nothing that the text does not. */
  readonly decorative: boolean;
  readonly caption: string;
  readonly width: string | number | null;
  readonly height: string | number | null;
}

const fieldsClass = 'picture-fields';

/** Whether an event belongs to the fields under a picture, and so is not the editor's. */
export const isInPictureFields = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`.${fieldsClass}`) !== null;

/** Puts the focus into the description of the picture at a place. @returns whether there is one to write in. */
export function focusDescription(picture: Node | null): boolean {
  const field = picture instanceof Element ? picture.querySelector<HTMLElement>(`.${fieldsClass} input`) : null;
  field?.focus();
  return field !== null;
}

/** A picture in the text. Its fields are below it while it is selected, and until it has a description. */
export function PictureView({ node, selected, editor, getPos, updateAttributes }: ReactNodeViewProps) {
  const id = useId();
  const { src, alt, decorative, caption, width, height } = node.attrs as PictureAttributes;
  const open = selected || (!decorative && alt.trim() === '');

  // A native listener: the dialog around the editor would answer Esc before React does.
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
  // Otherwise the fields would go with the first letter of a description.
  const select = () => {
    const place = getPos();
    if (place !== undefined && !selected) editor.commands.setNodeSelection(place);
  };

  return (
    <NodeViewWrapper>
      <figure className="picture">
        <img data-drag-handle="" src={src} alt={alt} width={width ?? undefined} height={height ?? undefined} />
        {open ? (
          <div ref={listen} className={fieldsClass} onFocus={select}>
            <div className="field">
              <label htmlFor={`${id}-alt`}>Description</label>
              <input
                id={`${id}-alt`}
                value={alt}
                disabled={decorative}
                maxLength={300}
                placeholder="What the picture shows"
                onChange={(event) => updateAttributes({ alt: event.target.value })}
              />
            </div>
            <div className="field">
              <label htmlFor={`${id}-caption`}>Caption</label>
              <input
                id={`${id}-caption`}
                value={caption}
                maxLength={300}
                placeholder="Shown under the picture"
                onChange={(event) => updateAttributes({ caption: event.target.value })}
              />
            </div>
            <label className="check">
              <input
                type="checkbox"
                checked={decorative}
                onChange={(event) =>
                  updateAttributes({ decorative: event.target.checked, ...(event.target.checked && { alt: '' }) })
                }
              />
              <span>Decorative: the text says all that it shows</span>
            </label>
          </div>
        ) : (
          caption && <figcaption>{caption}</figcaption>
        )}
      </figure>
    </NodeViewWrapper>
  );
}
