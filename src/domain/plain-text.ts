import * as z from 'zod/mini';

// C0 and C1 controls (but tab and newline), and the marks that reverse the direction of text: none of
// them can be typed on purpose, and all of them can disguise what an admin or a mail reader sees.
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Several lines as a person wrote them: one kind of line end, no control characters, trimmed. */
function cleanLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(invisible, '').toWellFormed().normalize('NFC').trim();
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
  return z
    .string(message)
    .check(
      z.overwrite(cleanLine),
      z.minLength(min, message),
      z.maxLength(max, `Please use at most ${max} characters.`),
    );
}

/** As {@link lineField}, for text of several lines. */
/* @__NO_SIDE_EFFECTS__ */
export function linesField(message: string, { min = 1, max = 10_000 }: { min?: number; max?: number } = {}) {
  return z
    .string(message)
    .check(
      z.overwrite(cleanLines),
      z.minLength(min, message),
      z.maxLength(max, `Please use at most ${max.toLocaleString('en-US')} characters.`),
    );
}

/** An e-mail address with a dotted host, as mail on the internet needs (`a@b` is none). */
/* @__NO_SIDE_EFFECTS__ */
export function emailField(message: string) {
  return z
    .string(message)
    .check(
      z.overwrite(cleanLine),
      z.maxLength(254, message),
      z.regex(z.regexes.html5Email, message),
      z.regex(/@[^@]+\.[^@.]{2,}$/, message),
    );
}
