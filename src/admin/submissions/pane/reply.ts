import { replySubject } from '../../../domain/submissions/inquiry.ts';
import { dayTimeText } from '../../../lib/dates.ts';
import { type Submission, isApplication } from '../../../domain/submissions/submission-kinds.ts';
import { isLong, kindOf, shownOf } from '../kinds.ts';

/**
 * The maximum length of the URL. Windows passes at most about 2,000 characters to an email program; longer URLs open
 * nothing.
 */
const longestAddress = 1_900;

/**
 * Returns the `mailto:` URL of a reply with the specified subject (docs/product.md#contact-submissions), a greeting and
 * the quoted message. A long message is cut to fit the maximum length.
 * @param timeZone defaults to the admin's time zone.
 */
export function replyAddress(submission: Submission, timeZone?: string): string {
  const long = shownOf(submission).filter(isLong);
  const message = long.flatMap(({ text }) => text || []).join('\n\n');
  const subject = isApplication(submission) ? `Re: Your application ${submission.reference}` : replySubject;
  const head = [
    `Hello ${submission.fullName},`,
    '',
    `Thank you for your ${kindOf(submission).one} (reference ${submission.reference}).`,
    '',
    '',
    '',
    ...(message === '' ? [] : [`On ${dayTimeText(submission.createdAt, timeZone)}, ${submission.fullName} wrote:`]),
  ];
  const address = (quoted: string[]) =>
    `mailto:${encodeURIComponent(submission.email).replaceAll('%40', '@')}` +
    `?subject=${encodeURIComponent(subject)}` +
    // RFC 6068: lines end with CR and LF.
    `&body=${encodeURIComponent([...head, ...quoted].join('\r\n'))}`;

  const quote = (text: string) => text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  let whole = address(message === '' ? [] : quote(message));
  // Cuts by code point, because `encodeURIComponent` throws an error for half of a surrogate pair.
  let characters = Array.from(message.toWellFormed());
  while (whole.length > longestAddress && characters.length > 0) {
    characters = characters.slice(0, characters.length * Math.min(longestAddress / whole.length, 0.98));
    whole = address([...quote(characters.join('')), '> [...]']);
  }
  return whole;
}
