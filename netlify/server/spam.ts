/** The words that a robot would have written. */
export interface SpamWords {
  readonly fullName: string;
  readonly company?: string;
  readonly message: string;
}

/** One sign of a robot weighs at most this; a submission is held back from {@link threshold} on. */
const threshold = 3;

interface Sign {
  readonly weight: number;
  readonly reason: string;
  readonly found: (words: SpamWords, text: string) => boolean;
}

// A domain is told by its end alone: a pattern for the whole of it would begin again at each of its hyphens.
const linkPattern = /https?:\/\/|www\.|(?<=[a-z0-9-])\.(?:ru|xyz|top|click|shop|site|online|icu|cn)\b/gi;
const linkCount = (text: string) => text.match(linkPattern)?.length ?? 0;

// Weights were chosen so that no single word, and no single link, ever holds back a real inquiry.
const signs: readonly Sign[] = [
  {
    weight: 3,
    reason: 'The message holds link markup such as robots write.',
    found: (_, text) => /\[url=|\[link=|<a\s+href/i.test(text),
  },
  { weight: 3, reason: 'The message holds five links or more.', found: (_, text) => linkCount(text) >= 5 },
  {
    weight: 2,
    reason: 'The message holds two links or more.',
    found: (_, text) => linkCount(text) >= 2 && linkCount(text) < 5,
  },
  {
    weight: 3,
    reason: 'The name or the company is a web address.',
    found: ({ fullName, company = '' }) => /https?:\/\//i.test(`${fullName} ${company}`),
  },
  {
    weight: 2,
    reason: 'The message offers search ranking, backlinks or guest posts.',
    found: (_, text) =>
      /\b(backlinks?|guest post|link building|rank(?:ing)? (?:on|in) google|first page of google|seo (?:service|agency|expert|package)s?|domain authority)\b/i.test(
        text,
      ),
  },
  {
    weight: 2,
    reason: 'The message offers gambling, drugs, adult content or quick money.',
    found: (_, text) =>
      /\b(casino|viagra|cialis|porn|escort|forex signals?|crypto (?:investment|trading|giveaway)|bitcoin (?:investment|doubler)|payday loans?|make money (?:fast|online))\b/i.test(
        text,
      ),
  },
  {
    weight: 2,
    reason: 'Most of the message is in another script than Latin.',
    found: (_, text) => mostlyForeign(text),
  },
  {
    weight: 2,
    reason: 'Several fields have the same text.',
    found: ({ fullName, company = fullName, message }) => fullName === company && fullName === message,
  },
];

/**
 * What makes a submission look like a robot's, as sentences for the admin; empty for an ordinary one. Nothing is ever
 * refused for it: browsers' autofill trips honeypots, and a person may paste a message within a second.
 */
export function suspicionsAbout(words: SpamWords, marks: { honeypot: string; filledTooFast: boolean }): string[] {
  const reasons: string[] = [];
  if (marks.honeypot !== '') reasons.push('A field that people cannot see was filled in.');
  if (marks.filledTooFast) reasons.push('The form was sent within two seconds of opening the page.');
  const found = signs.filter((sign) => sign.found(words, words.message));
  const weight = found.reduce((sum, sign) => sum + sign.weight, 0);
  if (reasons.length > 0 || weight >= threshold) reasons.push(...found.map((sign) => sign.reason));
  return reasons;
}

function mostlyForeign(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters >= 20 && latin < letters / 2;
}
