import * as z from 'zod/mini';

// C0 and C1 controls (but tab and newline), and the marks that reverse the direction of text: none of
// them can be typed on purpose, and all of them can disguise what an admin or a mail reader sees.
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * More accents on one letter than any language has. Normalizing sorts the accents of a letter, and a run of 100,000 of
 * them takes seconds (Unicode Standard Annex #15, "Stream-Safe Text Format", cuts at the same number).
 */
const excessAccents = /(\p{M}{30})\p{M}+/gu;

/** Several lines as a person wrote them: one kind of line end, no control characters, trimmed. */
function cleanLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .toWellFormed()
    .replace(excessAccents, '$1')
    .normalize('NFC')
    .trim();
}

/**
 * Refuses a text before anything reads it whole. The final limit counts the cleaned text, which can be shorter: without
 * spaces at its ends, and with letters and their accents composed.
 */
/* @__NO_SIDE_EFFECTS__ */
export function rawLength(max: number, message: string) {
  return z.maxLength(4 * max + 1_000, { error: message, abort: true });
}

/** One line: as {@link cleanLines}, with every run of white space folded to one space. */
export function cleanLine(text: string): string {
  return cleanLines(text).replace(/\s+/g, ' ');
}

/**
 * A one-line text field. Cleaned before its length is checked; the bounds count UTF-16 units.
 * @param message shown when the field is missing, of another type, or shorter than `min`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function lineField(message: string, { min = 1, max = 200 }: { min?: number; max?: number } = {}) {
  const tooLong = `Please use at most ${max} characters.`;
  return z
    .string(message)
    .check(rawLength(max, tooLong), z.overwrite(cleanLine), z.minLength(min, message), z.maxLength(max, tooLong));
}

/** As {@link lineField}, for text of several lines. */
/* @__NO_SIDE_EFFECTS__ */
export function linesField(message: string, { min = 1, max = 10_000 }: { min?: number; max?: number } = {}) {
  const tooLong = `Please use at most ${max.toLocaleString('en-US')} characters.`;
  return z
    .string(message)
    .check(rawLength(max, tooLong), z.overwrite(cleanLines), z.minLength(min, message), z.maxLength(max, tooLong));
}

/** Characters of an email address at most (RFC 5321). */
export const longestEmail = 254;

/** An e-mail address with a dotted host, as mail on the internet needs (`a@b` is none). */
/* @__NO_SIDE_EFFECTS__ */
export function emailField(message: string) {
  return z
    .string(message)
    .check(
      rawLength(longestEmail, message),
      z.overwrite(cleanLine),
      z.maxLength(longestEmail, { error: message, abort: true }),
      z.regex(z.regexes.html5Email, message),
      z.regex(/@[^@]+\.[^@.]{2,}$/, message),
    );
}
