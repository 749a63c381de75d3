/** What only the site's own style sheets and scripts know. */
const ownAttribute =
  / (?:class|id|tabindex|role|data-[\w-]+|aria-[\w-]+|srcset|sizes|loading|decoding)(?:="[^"]*")?(?=[\s>/])/g;

/** What XML cannot hold. Nothing of it can be typed. */
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text that any XML document can hold. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(notXml, '');
}

/**
 * Prepares HTML for feed readers: makes URLs absolute, and removes attributes that only this site's styles and scripts use.
 * @param html every attribute must be in double quotes and contain no angle brackets.
 * @param page its address.
 */
export function standalone(html: string, page: URL): string {
  const whole = (tag: string) =>
    tag.replace(ownAttribute, '').replace(/ (href|src)="([/#][^"]*)"/g, (attribute, name: string, address: string) =>
      // Leaves an invalid URL unchanged.
      URL.canParse(address, page) ? ` ${name}="${new URL(address, page).href}"` : attribute,
    );
  return xmlText(html)
    .replace(/<[a-z][^<>]*>/gi, whole)
    .trim();
}
