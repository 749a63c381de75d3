import * as z from 'zod/mini';
import { numberText } from './text.ts';

// C0 and C1 control characters (except tab, newline and return), characters that change the direction of text, and the
// byte order mark. These characters can disguise what a text says.
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Matches more than 30 accents on one letter, the limit of the "Stream-Safe Text Format" in Unicode Standard Annex #15.
 * No language needs as many. Normalization sorts the accents of a letter, which takes seconds for 100,000 accents.
 */
const excessAccents = /(\p{M}{30})\p{M}+/gu;

/** Cleans a text of several lines: normalizes line ends and Unicode, removes control characters, and trims. */
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
 * Returns a check that rejects a very long text before the text is cleaned. The limit is generous, because the real
 * limit applies to the cleaned text, which may be shorter: cleaning trims a text and joins letters with their accents.
 */
/* @__NO_SIDE_EFFECTS__ */
export function rawLength(max: number, message: string) {
  return z.maxLength(4 * max + 1_000, { error: message, abort: true });
}

/** Cleans a text like {@link cleanLines}, and replaces each run of white space with one space. */
export function cleanLine(text: string): string {
  return cleanLines(text).replace(/\s+/g, ' ');
}

/** Default maximum length of a text of one line (`line`) or several lines (`lines`), in characters. */
export const longestText = { line: 200, lines: 10_000 } as const;

/**
 * Returns the schema of a text field. The schema cleans the text, then checks the length in Unicode code points.
 * @param message shown if the field is missing, not a string, or shorter than `min`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function textField(
  kind: 'line' | 'lines',
  message: string,
  { min = 1, max = longestText[kind] }: { min?: number; max?: number } = {},
) {
  const tooLong = `Please use at most ${numberText(max)} characters.`;
  const clean = kind === 'line' ? cleanLine : cleanLines;
  return z
    .string(message)
    .check(rawLength(max, tooLong), z.overwrite(clean), z.minLength(min, message), z.maxLength(max, tooLong));
}

/** Returns the schema of a text that stays exactly as typed, such as a password. The length is in code points. */
/* @__NO_SIDE_EFFECTS__ */
export function exactText({ min, max, message }: { min: number; max: number; message: string }) {
  return z
    .string(message)
    .check(z.minLength(min, message), z.maxLength(max, `Please use at most ${numberText(max)} characters.`));
}

/** Maximum length of an email address in characters (RFC 5321). */
export const longestEmail = 254;

/**
 * Returns the schema of an email address. The domain must contain a dot, as internet email requires (`a@b` is invalid).
 */
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
