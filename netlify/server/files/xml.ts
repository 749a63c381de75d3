/** A token of an XML document. Names include prefixes. References such as `&amp;` are replaced by their characters. */
export type XmlToken =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
      readonly closed: boolean;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/**
 * The text is not XML, or uses XML features that are not supported. The message completes 'This picture cannot be
 * read:'.
 */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Limits that no real drawing reaches: the attributes of one element, and the characters of an attribute value that
 * contains references such as `&amp;`.
 */
const mostAttributes = 200;
const mostReferring = 10_000;

/**
 * The replacement for an invalid character reference, and for an entity that the document itself defines. Such entities
 * are never expanded.
 */
const unknownEntity = '\ufffd';

function resolved(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([\w.:-]+));|&/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (whole === '&') throw new XmlError('the SVG is not valid XML.');
      if (name !== undefined) return named[name] ?? unknownEntity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0x10ffff || code === 0 ? unknownEntity : String.fromCodePoint(code);
    },
  );
}

const nameSyntax = '[A-Za-z_][\\w.:-]*';
// Joined with `+`, because the lint rules for slow expressions do not evaluate `join`.
const tokenSyntax = new RegExp(
  '<!--[^]*?-->' +
    '|<\\?[^]*?\\?>' +
    '|<!\\[CDATA\\[(?<data>[^]*?)\\]\\]>' +
    // Skips the document type, including its internal subset in brackets. None of the declarations in it are used.
    '|<!DOCTYPE(?:[^\\[\\]<>"\']|"[^"]*"|\'[^\']*\')*(?:\\[(?:[^\\]"\']|"[^"]*"|\'[^\']*\')*\\]\\s*)?>' +
    `|</(?<closed>${nameSyntax})\\s*>` +
    `|<(?<opened>${nameSyntax})(?<attributes>(?:\\s+${nameSyntax}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>` +
    // Yields short pieces of text, so the caller can pause between them.
    '|(?<text>[^<&]{1,4096}|&[#\\w.:-]{1,64};)',
  'y',
);
const attributeSyntax = new RegExp(`\\s*(${nameSyntax})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gy');

/**
 * Reads XML as strictly as browsers do, and refuses text that is not well formed. Omits comments, instructions and the
 * document type. Does not expand entities that the document defines.
 * @throws {XmlError}
 */
export function* xmlTokens(source: string): Generator<XmlToken> {
  const text = source.replace(/^\ufeff/, '');
  tokenSyntax.lastIndex = 0;
  while (tokenSyntax.lastIndex < text.length) {
    const groups = tokenSyntax.exec(text)?.groups;
    if (!groups) throw new XmlError('the SVG is not valid XML.');
    if (groups.data !== undefined) yield { kind: 'text', text: groups.data };
    else if (groups.closed !== undefined) yield { kind: 'close', name: groups.closed };
    else if (groups.text !== undefined) yield { kind: 'text', text: resolved(groups.text) };
    else if (groups.opened !== undefined) {
      const attributes = new Map<string, string>();
      for (const [, name = '', double, single] of (groups.attributes ?? '').matchAll(attributeSyntax)) {
        const value = double ?? single ?? '';
        if (attributes.has(name)) throw new XmlError('the SVG is not valid XML.');
        if (attributes.size === mostAttributes || (value.length > mostReferring && value.includes('&'))) {
          throw new XmlError('an element of the SVG is too long.');
        }
        attributes.set(name, resolved(value));
      }
      yield { kind: 'open', name: groups.opened, attributes, closed: groups.empty === '/' };
    }
  }
}

/** Escapes text for use between tags or in a quoted attribute. */
export function xmlEscaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
