import type { CustomPlugin } from 'svgo';
import { svgMegabytes } from '../../../src/domain/submissions/upload.ts';
import { Refusal } from '../refusal.ts';

const namespace = 'http://www.w3.org/2000/svg';
const mostCharacters = svgMegabytes * 1_000_000;
const mostElements = 50_000;

/** The elements that an uploaded drawing may contain. Any other element is dropped with its content. */
const allowedElements = new Set(
  (
    'svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath image ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB ' +
    'feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight ' +
    'feTile feTurbulence'
  ).split(' '),
);

/** Creates the refusal of a damaged picture. `reason` completes the message. */
export const unreadable = (reason: string, cause?: unknown) =>
  new Refusal('invalid_input', `This picture cannot be read: ${reason} Export it again, or save it as a PNG.`, {
    cause,
  });

const tooLarge = (problem: string) =>
  new Refusal('invalid_input', `This SVG file ${problem}. Simplify the drawing, or save it as a PNG.`);

/** Returns whether the first element of the text is `svg`. */
export function isSvg(text: string): boolean {
  const start = withoutDoctype(text.slice(0, 20_000)).replace(/<!--[^]*?-->|<\?[^]*?\?>/g, '');
  return /^\s*<svg[\s/>]/.test(start);
}

/**
 * Removes everything from a drawing that could run, or that a browser would fetch: scripts, events, links, animations,
 * foreign content and references to other files. Keeps shapes, colors, gradients, filters, styles and embedded images.
 * @throws {Refusal} `invalid_input` if the text is not a well-formed SVG, or exceeds a limit.
 */
export async function cleanSvg(text: string): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length > mostCharacters) {
    throw tooLarge(`is larger than ${svgMegabytes} MB`);
  }
  if (text.split('<', mostElements * 2 + 1).length > mostElements * 2) {
    throw tooLarge(`has more than ${mostElements.toLocaleString('en-US')} shapes`);
  }
  // Entities that a document defines can expand to gigabytes. They are never expanded.
  const plain = withoutDoctype(text).replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)[\w.:-]+;/gi, '\ufffd');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(plain)) throw unreadable('the SVG is not valid XML.');
  const { optimize } = await import('svgo/browser');
  let data: string;
  try {
    ({ data } = optimize(plain, { plugins: [onlyDrawing] }));
  } catch (error) {
    throw unreadable('the SVG is not valid XML.', error);
  }
  if (!data.startsWith('<svg')) throw unreadable('the file is not an SVG.');
  return new Uint8Array(Buffer.from(data));
}

/** Removes the document type, including its internal subset in brackets. */
const withoutDoctype = (text: string) => text.replace(/<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/i, '');

/** The step of the library that drops what {@link cleanSvg} describes. */
const onlyDrawing: CustomPlugin = {
  name: 'only-drawing',
  fn: () => {
    const drop = (node: object, parent: { children: object[] }) => {
      parent.children = parent.children.filter((child) => child !== node);
    };
    const unseen = { enter: drop };
    return {
      doctype: unseen,
      instruction: unseen,
      comment: unseen,
      cdata: { enter: (node, parent) => void (isStyle(parent) || drop(node, parent)) },
      element: {
        enter(node, parent) {
          if (!allowedElements.has(node.name)) return drop(node, parent);
          if (node.name === 'style') {
            const css = node.children.map((child) => ('value' in child ? child.value : '<')).join('');
            if (!isSafeStyle(css.replace(/\/\*[^]*?\*\//g, ''))) return drop(node, parent);
          }
          for (const [name, value] of Object.entries(node.attributes)) {
            if (!isSafeAttribute(node.name, name, value)) delete node.attributes[name];
          }
          if (parent.type === 'root') node.attributes = { xmlns: namespace, ...node.attributes };
        },
      },
    };
  },
};

const isStyle = (parent: object) => 'name' in parent && parent.name === 'style';

function isSafeAttribute(element: string, name: string, value: string): boolean {
  if (name === 'href' || name === 'xlink:href') return isSafeReference(element, value.trim());
  if (name === 'xmlns') return value === namespace;
  if (name.includes(':')) return name === 'xml:space' || name === 'xmlns:xlink';
  return !name.startsWith('on') && isSafeStyle(value);
}

/** Allows references to elements of the same drawing, and to embedded images. */
const isSafeReference = (element: string, reference: string) =>
  /^#[\w.:-]+$/.test(reference) ||
  (element === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(reference));

/** Allows only references to elements of the same drawing, and refuses escapes that could disguise a URL. */
function isSafeStyle(css: string): boolean {
  if (
    /[\\<]|\/\*|@import|expression\s*\(|javascript:|(?:image-set|image|element|src)\s*\(|behavior|-moz-binding/i.test(
      css,
    )
  ) {
    return false;
  }
  const addresses = css.match(/url\s*\(/gi)?.length ?? 0;
  const fragments = css.match(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi)?.length ?? 0;
  return addresses === fragments;
}
