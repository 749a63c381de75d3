/** A submission is quarantined if its signs of spam add up to this weight or more. No single sign weighs more. */
const threshold = 3;

interface Sign {
  readonly weight: number;
  readonly reason: string;
  readonly found: (text: string, fullName: string, company: string) => boolean;
}

// Matches only the end of a domain, because a pattern for a whole domain would backtrack at each hyphen.
const linkPattern = /https?:\/\/|www\.|(?<=[a-z0-9-])\.(?:ru|xyz|top|click|shop|site|online|icu|cn)\b/gi;
const linkCount = (text: string) => text.match(linkPattern)?.length ?? 0;

// The weights are chosen so that one word or one plain link never quarantines a real inquiry.
const signs: readonly Sign[] = [
  {
    weight: 3,
    reason: 'The message has link markup that bots use.',
    found: (text) => /\[url=|\[link=|<a\s+href/i.test(text),
  },
  { weight: 3, reason: 'The message has five or more links.', found: (text) => linkCount(text) >= 5 },
  {
    weight: 2,
    reason: 'The message has two or more links.',
    found: (text) => linkCount(text) >= 2 && linkCount(text) < 5,
  },
  {
    weight: 3,
    reason: 'The name or the company is a URL.',
    found: (_, fullName, company) => /https?:\/\//i.test(`${fullName} ${company}`),
  },
  {
    weight: 2,
    reason: 'The message offers search ranking, backlinks or guest posts.',
    found: (text) =>
      /\b(backlinks?|guest post|link building|rank(?:ing)? (?:on|in) google|first page of google|seo (?:service|agency|expert|package)s?|domain authority)\b/i.test(
        text,
      ),
  },
  {
    weight: 2,
    reason: 'The message offers gambling, drugs, adult content or quick money.',
    found: (text) =>
      /\b(casino|viagra|cialis|porn|escort|forex signals?|crypto (?:investment|trading|giveaway)|bitcoin (?:investment|doubler)|payday loans?|make money (?:fast|online))\b/i.test(
        text,
      ),
  },
  {
    weight: 2,
    reason: 'Most of the message is not in the Latin alphabet.',
    found: mostlyForeign,
  },
  {
    weight: 2,
    reason: 'Several fields have the same text.',
    found: (text, fullName, company) => fullName === text && (company === '' || company === text),
  },
];

/**
 * Returns the reasons why a submission looks like spam, as sentences for the admin; empty if it does not. A suspicious
 * submission is never rejected, because autofill can fill in hidden fields, and a person can paste a message within a
 * second.
 */
export function suspicionsAbout(
  input: Readonly<Record<string, string | undefined>>,
  marks: { honeypot: string; filledTooFast: boolean },
): string[] {
  const { fullName = '', company = '', coverLetter = '', message = coverLetter } = input;
  const reasons: string[] = [];
  if (marks.honeypot !== '')
    reasons.push('An invisible field was filled in. People cannot see it, so the sender was probably a program.');
  if (marks.filledTooFast) reasons.push('The form was sent within two seconds after the page opened.');
  const found = signs.filter((sign) => sign.found(message, fullName, company));
  const weight = found.reduce((sum, sign) => sum + sign.weight, 0);
  if (reasons.length > 0 || weight >= threshold) reasons.push(...found.map((sign) => sign.reason));
  return reasons;
}

function mostlyForeign(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters >= 20 && latin < letters / 2;
}
