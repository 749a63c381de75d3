/**
 * Escapes text for the content of an HTML element. Quotation marks are not escaped, so the result is not safe in an
 * attribute.
 */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
