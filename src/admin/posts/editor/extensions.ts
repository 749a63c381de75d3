import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { isAllowedLink } from '../links.ts';

/** Without the widths that the package writes: they are inline styles, which the site's policy forbids. */
const PlainTable = Table.extend({
  renderHTML({ HTMLAttributes: { style: _style, ...attributes } }) {
    return ['table', attributes, ['tbody', 0]];
  },
});

/** A picture knows its size, so that a page does not move while it loads. */
const Picture = Image.extend({
  renderHTML({ HTMLAttributes }) {
    return ['img', { ...HTMLAttributes, loading: 'lazy' }];
  },
});

/** What a post's text may hold; the server's sanitizer lets the same through. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      // What is typed behind a link is not part of it.
      autolink: false,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => isAllowedLink(address),
    },
    dropcursor: { color: false, class: 'drop-place', width: 2 },
  }),
  Picture,
  PlainTable,
  TableRow,
  TableHeader,
  TableCell,
];
