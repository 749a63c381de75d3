import { pauses } from '../runtime/pauses.ts';
import type { Pixels } from './picture-chunks.ts';
import { allowedAttributes, allowedElements } from './svg-allowed.ts';
import { XmlError, xmlEscaped, xmlTokens } from './xml.ts';

const namespace = 'http://www.w3.org/2000/svg';
const mostElements = 50_000;
/** A typical logo or chart has a hundredth of this size. A larger drawing loads faster as a PNG. */
const mostCharacters = 2_000_000;
/**
 * The limit of a style sheet in characters. Style sheets are checked without pauses, so a longer one would delay other
 * requests.
 */
const mostStyle = 100_000;

/** The file is not a valid SVG, or is too large. The message completes 'This picture cannot be read:'. */
export class SvgError extends Error {
  override readonly name = 'SvgError';
}

interface CleanDrawing {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: Pixels | null;
}

/** Returns whether the first element of the text is `svg`. */
export function isSvg(text: string): boolean {
  try {
    for (const token of xmlTokens(text.slice(0, 100_000))) {
      if (token.kind === 'open') return token.name === 'svg';
      if (token.kind === 'close' || token.text.trim() !== '') return false;
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  return false;
}

/**
 * Copies the allowed parts of a drawing: shapes, colors, gradients, filters, styles without URLs, and embedded images.
 * Drops scripts, events, links, animations, foreign content and everything that a browser would fetch. Pauses while
 * writing a large drawing, so other requests are served.
 * @throws {SvgError} if the text is not a well-formed SVG, or exceeds a limit.
 */
export async function cleanSvg(text: string): Promise<CleanDrawing> {
  if (text.length > mostCharacters) {
    throw new SvgError('an SVG file can be at most 2 MB. Simplify it, or save it as a PNG.');
  }
  try {
    return await written(text);
  } catch (error) {
    if (error instanceof XmlError) throw new SvgError(error.message, { cause: error });
    throw error;
  }
}

async function written(text: string): Promise<CleanDrawing> {
  const pause = pauses();
  let out = '';
  let size: Pixels | null = null;
  let elements = 0;
  /** The names of the open elements. */
  const open: string[] = [];
  /** The index in `open` of an element that is dropped with everything inside. */
  let leftOutFrom: number | null = null;
  let css: string | null = null;

  for (const token of xmlTokens(text)) {
    if (pause.due()) await pause.take();
    if (token.kind === 'text') {
      if (css !== null) {
        css += token.text;
        if (css.length > mostStyle) throw new SvgError('the SVG has more than 100,000 characters of styles.');
      } else if (leftOutFrom === null && open.length > 0) out += xmlEscaped(token.text);
      else if (open.length === 0 && token.text.trim() !== '') throw new SvgError('the SVG is not valid XML.');
    } else if (token.kind === 'close') {
      if (open.pop() !== token.name) throw new SvgError('the SVG is not valid XML.');
      if (leftOutFrom !== null) {
        if (open.length === leftOutFrom) leftOutFrom = null;
        continue;
      }
      if (css !== null) {
        out += `<style>${xmlEscaped(safeSheet(css))}</style>`;
        css = null;
      } else out += `</${token.name}>`;
    } else {
      const { name, attributes, closed } = token;
      elements += 1;
      if (elements > mostElements)
        throw new SvgError(`the SVG has more than ${mostElements.toLocaleString('en-US')} shapes.`);
      if (open.length === 0 && (name !== 'svg' || out !== '')) throw new SvgError('the file is not an SVG.');
      const allowed = leftOutFrom === null && css === null && allowedElements.has(name);
      if (!closed) open.push(name);
      if (!allowed) {
        if (!closed && leftOutFrom === null && css === null) leftOutFrom = open.length - 1;
        else if (css !== null)
          throw new SvgError('the SVG has elements inside its styles. Save it as a PNG file, and upload that.');
        continue;
      }
      if (name === 'style') {
        if (!closed) css = '';
        continue;
      }
      const isRoot = out === '';
      if (isRoot) size = sizeOf(attributes);
      out += `<${name}${isRoot ? ` xmlns="${namespace}"` : ''}${safeAttributes(name, attributes)}${closed ? '/' : ''}>`;
    }
  }
  if (open.length > 0 || out === '') throw new SvgError('the SVG is not valid XML.');
  return { bytes: new Uint8Array(Buffer.from(out)), size };
}

function safeAttributes(element: string, attributes: ReadonlyMap<string, string>): string {
  let out = '';
  for (const [name, value] of attributes) {
    if (name === 'xml:space') out += ` xml:space="${xmlEscaped(value)}"`;
    else if (name === 'href' || (name === 'xlink:href' && !attributes.has('href'))) {
      if (isSafeReference(element, value)) out += ` href="${xmlEscaped(value.trim())}"`;
    } else if (allowedAttributes.has(name) && !value.includes('\ufffd') && isSafeStyle(value)) {
      out += ` ${name}="${xmlEscaped(value)}"`;
    }
  }
  return out;
}

/** Allows references to elements of the same drawing, and to embedded images. */
function isSafeReference(element: string, value: string): boolean {
  const reference = value.trim();
  if (/^#[\w.:-]+$/.test(reference)) return true;
  return element === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(reference);
}

/** Allows only references to elements of the same drawing, and refuses escapes that could disguise a URL. */
function isSafeStyle(css: string): boolean {
  if (/[\\<]|\/\*|expression\s*\(|javascript:|(?:image-set|image|element|src)\s*\(|behavior|-moz-binding/i.test(css))
    return false;
  const addresses = css.match(/url\s*\(/gi)?.length ?? 0;
  const fragments = css.match(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi)?.length ?? 0;
  return addresses === fragments;
}

const schemeRule = /^@media\s*\(\s*prefers-color-scheme\s*:\s*(?:dark|light)\s*\)$/;

/**
 * Copies a style sheet rule by rule. Omits rules that are not safe ({@link isSafeStyle}), and all at-rules except
 * `@media (prefers-color-scheme)`. Drops the rest of the sheet after unbalanced braces or other invalid syntax.
 */
function safeSheet(css: string): string {
  const plain = withoutComments(css).replace(/<!--|-->/g, '');
  let out = '';
  let at = 0;
  while (at < plain.length) {
    const start = nextOf(plain, at, ';{}');
    const prelude = plain.slice(at, start).trim();
    const isAtRule = prelude.startsWith('@');
    if (plain[start] === ';' && isAtRule) {
      at = start + 1;
      continue;
    }
    const end = plain[start] === '{' ? blockEnd(plain, start) : null;
    if (end === null) break;
    const block = plain.slice(start + 1, end);
    if (isAtRule) {
      if (schemeRule.test(prelude) && isSafeStyle(block) && !block.includes('@')) out += `${prelude}{${block}}`;
    } else {
      if (prelude === '' || prelude.includes('@') || block.includes('{')) break;
      if (isSafeStyle(prelude) && isSafeStyle(block)) out += `${prelude}{${block}}`;
    }
    at = end + 1;
  }
  return out;
}

/** Returns the index of the next of these characters, or the length of the text if none follows. */
function nextOf(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && !characters.includes(text.charAt(at))) at += 1;
  return at;
}

/**
 * Returns the index of the brace that closes the block at `start`. Returns null if the braces are unbalanced, or if the
 * block contains a block that contains another block.
 */
function blockEnd(css: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < css.length; at = nextOf(css, at + 1, '{}')) {
    depth += css[at] === '{' ? 1 : -1;
    if (depth > 2) return null;
    if (depth === 0) return at;
  }
  return null;
}

/** Removes the comments of a style sheet. As in browsers, an unclosed comment lasts to the end of the sheet. */
function withoutComments(css: string): string {
  let out = '';
  let at = 0;
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', at)) {
    out += css.slice(at, start);
    const end = css.indexOf('*/', start + 2);
    if (end === -1) return out;
    at = end + 2;
  }
  return out + css.slice(at);
}

/** Returns the size that the root element states in pixels, or the size of its view box. */
function sizeOf(attributes: ReadonlyMap<string, string>): Pixels | null {
  const pixels = (value: string | undefined) => {
    const number = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(value ?? '')?.[1];
    return number === undefined ? null : Math.round(Number(number));
  };
  const [, , boxWidth, boxHeight] = (attributes.get('viewBox') ?? '').trim().split(/[\s,]+/);
  const width = pixels(attributes.get('width'));
  const height = pixels(attributes.get('height'));
  if (width && height) return { width, height };
  const [boxed, high] = [pixels(boxWidth), pixels(boxHeight)];
  return boxed && high ? { width: boxed, height: high } : null;
}
