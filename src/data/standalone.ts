/** Matches attributes that feed readers do not need. */
const ownAttribute =
  / (?:class|id|tabindex|role|data-[\w-]+|aria-[\w-]+|srcset|sizes|loading|decoding)(?:="[^"]*")?(?=[\s>/])/g;

/** Matches control characters and noncharacters that XML 1.0 does not allow. */
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Removes characters that XML does not allow, and replaces unpaired surrogates. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(notXml, '');
}

/**
 * Prepares HTML for feed readers: makes URLs absolute, and removes attributes that feed readers do not need.
 * @param html HTML in which every attribute value is in double quotes and contains no angle brackets.
 * @param page the URL of the page with the HTML.
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
