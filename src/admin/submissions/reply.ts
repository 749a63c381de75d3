import { replySubject } from '../../domain/inquiry.ts';
import { dayTimeText } from '../../lib/dates.ts';
import { type Submission, cellsOf, isApplication, kindNameOf, kinds } from './kinds.ts';

/** Windows hands a mail program at most about 2,000 characters of an address; a longer one opens nothing. */
const longestAddress = 1_900;

/**
 * The `mailto:` address of a reply: the specified subject (spec §2), a greeting and the message quoted. A long message is
 * quoted as far as an address may reach.
 * @param timeZone the admin's own unless given.
 */
export function replyAddress(submission: Submission, timeZone?: string): string {
  const { message } = cellsOf(submission);
  const subject = isApplication(submission) ? `Re: Your application ${submission.reference}` : replySubject;
  const head = [
    `Hello ${submission.fullName},`,
    '',
    `thank you for your ${kinds[kindNameOf(submission)].one} (reference ${submission.reference}).`,
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
  const whole = address(message === '' ? [] : quote(message));
  if (whole.length <= longestAddress) return whole;

  // Characters, not units: half a surrogate pair cannot be written into an address.
  const characters = Array.from(message);
  let [fits, tooLong] = [0, characters.length];
  const shortened = (length: number) => address([...quote(characters.slice(0, length).join('')), '> [...]']);
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (shortened(middle).length <= longestAddress) fits = middle;
    else tooLong = middle;
  }
  return shortened(fits);
}
