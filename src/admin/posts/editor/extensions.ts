import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { ReactNodeViewRenderer } from '@tiptap/react';
import { isAllowedLink } from './links.ts';
import { type PictureAttributes, PictureView, isInPictureFields } from './PictureView.tsx';

/** A table without the widths that the package writes as inline styles, which the content security policy blocks. */
const PlainTable = Table.extend({
  renderHTML({ HTMLAttributes: { style: _style, ...attributes } }) {
    return ['table', attributes, ['tbody', 0]];
  },
});

const pictureIn = (element: HTMLElement): Element | null =>
  element.localName === 'img' ? element : element.querySelector('img');

/**
 * An image with a description and a caption. The stored size prevents a layout shift while the image loads. `role`
 * distinguishes a decorative image from an image without a description.
 */
const Picture = Image.extend({
  addAttributes() {
    const ofPicture = (name: string) => ({
      default: null,
      parseHTML: (element: HTMLElement) => pictureIn(element)?.getAttribute(name) ?? null,
    });
    return {
      ...Object.fromEntries(['src', 'title', 'width', 'height'].map((name) => [name, ofPicture(name)])),
      alt: { ...ofPicture('alt'), default: '' },
      decorative: {
        default: false,
        rendered: false,
        parseHTML: (element: HTMLElement) => pictureIn(element)?.getAttribute('role') === 'presentation',
      },
      caption: {
        default: '',
        rendered: false,
        parseHTML: (element: HTMLElement) => element.querySelector('figcaption')?.textContent.trim() ?? '',
      },
    };
  },
  parseHTML() {
    const onePicture = (figure: HTMLElement) =>
      figure.querySelectorAll('img[src]').length === 1 && figure.querySelector('table, pre, p') === null && null;
    return [{ tag: 'figure', getAttrs: onePicture }, { tag: 'img[src]:not([src^="data:"])' }];
  },
  renderHTML({ node, HTMLAttributes }) {
    const { decorative, caption } = node.attrs as PictureAttributes;
    const picture = [
      'img',
      { ...HTMLAttributes, ...(decorative && { role: 'presentation' }), loading: 'lazy' },
    ] as const;
    return caption.trim() === '' ? picture : ['figure', picture, ['figcaption', caption.trim()]];
  },
  addNodeView: () => ReactNodeViewRenderer(PictureView, { stopEvent: ({ event }) => isInPictureFields(event.target) }),
});

/** The elements that a post's text may contain. The server's sanitizer allows the same elements. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      // With `true`, the editor would also extend a link to text that is typed directly after the link.
      autolink: false,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => isAllowedLink(address),
    },
    dropcursor: { color: 'var(--color-accent)', width: 2 },
  }),
  Picture,
  PlainTable,
  TableRow,
  TableHeader,
  TableCell,
];
