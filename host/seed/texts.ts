import { type ApplicationInput, applicationFields, experiences, positions } from '../../src/domain/application.ts';
import { inputSchema } from '../../src/domain/field-schema.ts';
import { type InquiryInput, inquiryFields, serviceInterests } from '../../src/domain/inquiry.ts';
import { type Person, personOf } from './people.ts';
import type { Random } from './random.ts';

/** Replaces `{2-9}` in a sentence with a random number in that range. */
const filled = (sentence: string, random: Random): string =>
  sentence.replace(/\{(\d+)-(\d+)\}/g, (_, least, most) => String(random.between(Number(least), Number(most))));

const situations = [
  'We run {2-9} subsidiaries on one NetSuite account and the month-end close takes {6-14} days.',
  'Our general ledger and the warehouse have not agreed on inventory since the cutover in spring.',
  'We outgrew QuickBooks: {20-90} users, {2-6} warehouses, and invoices that are typed twice.',
  'The audit in {3-9} weeks asks for an audit trail of every journal entry above ${5-50},000.',
  'Orders from Shopify reach NetSuite hours late, and about {2-9} in a hundred never do.',
  'A former partner left us with {40-300} scripts that nobody documented.',
  'Revenue recognition lives in a spreadsheet of {12-60} tabs that one person understands.',
  'Our go-live moved twice and the budget is {20-80} percent over.',
  'Approvals for vendor bills wait in mailboxes, so we pay late and lose the discount.',
  'Sales tax is wrong in {3-12} states, and each return is corrected by hand.',
  'We bought a company that runs another ERP and have to consolidate both ledgers by year end.',
  'Demand planning says one thing, purchasing another, and the forecast matches neither.',
  'Celigo flows fail at night and nobody notices until a customer calls.',
  'Our saved searches time out since the history passed {2-9} million transactions.',
];
const questions = ['Who is the right person to talk to about this?', 'Do you also train our own administrators?'];
/** Sentences of people who ask about a service. Inquiries without a service use {@link questions}. */
const wants: Readonly<Record<string, readonly string[]>> = {
  'digital-roadmap': [
    'We would like a roadmap for the next {12-36} months before we buy anything else.',
    'Could you look at our processes and tell us what to do first, and what to leave alone?',
  ],
  'project-recovery': [
    'We need somebody to tell us honestly whether this project can be saved.',
    'Can you step in within {1-4} weeks and stabilize it?',
  ],
  implementation: [
    'We are looking for a partner for a first phase with finance, purchasing and inventory.',
    'What would an implementation for a company of our size cost, and how long would it take?',
  ],
  development: [
    'We need an integration with our order system, and somebody to take over the scripts.',
    'Can you review the customizations and replace what the standard does by now?',
  ],
  support: [
    'We are looking for {10-60} hours of support a month and a named consultant.',
    'Is there a plan with answers on the same day during the close?',
  ],
};
const closings = [
  'A call next week would be good, best in the morning.',
  'Our controller and I would both join a call.',
  'Please send us what you would need from us to make an estimate.',
  'We would like to decide before the end of the quarter.',
  'Thank you for your time.',
];
const spam = [
  'Hello, we offer SEO services and quality backlinks. Rank on google within a week: https://seo.example https://links.example',
  'Make money online with our crypto trading robot, casino bonus included: www.gains.example www.bonus.example',
  'Your site could be on the first page of google. Guest post packages: [url=https://posts.example]here[/url]',
];

const inquiryInput = inputSchema(inquiryFields);
const applicationInput = inputSchema(applicationFields);

/**
 * Generates an inquiry. About one in twelve looks like spam. Placeholders in the text are replaced with the person's
 * data.
 */
export function inquiryOf(random: Random, index: number): InquiryInput {
  const person = personOf(random, index);
  const serviceInterest = random.pick(serviceInterests).value;
  const own = [
    ...random.some(situations, random.between(1, 3)),
    random.pick(wants[serviceInterest] ?? questions),
    random.pick(closings),
  ];
  const message = random.chance(0.08) ? random.pick(spam) : own.map((sentence) => filled(sentence, random)).join(' ');
  return inquiryInput.parse({ ...person, serviceInterest, message });
}

const letters = [
  'I have worked with NetSuite for {2-12} years, most of them in {2-5} implementations for distributors.',
  'I wrote the integration between a warehouse system and the general ledger that my company still runs on.',
  'My last close took {3-6} days; when I came it took {9-15}.',
  'I hold the SuiteFoundation certificate and am preparing for the next one.',
  'I like explaining inventory costing to people who did not ask for it, and seeing them nod.',
  'I led a team of {2-9} through an audit without a finding.',
  'I write SuiteScript that others can read, with tests where they matter.',
  'I live in the South Bay and would like to work with clients on site.',
];

/** Generates an application as a person would write it. {@link resumeOf} returns the resume. */
export function applicationOf(random: Random, index: number): Required<ApplicationInput> {
  const person = personOf(random, index);
  return applicationInput.parse({
    ...person,
    phone: random.chance(0.85) ? person.phone : '',
    position: random.pick(positions),
    experience: random.pick(experiences),
    coverLetter: random
      .some(letters, random.between(2, 4))
      .map((sentence) => filled(sentence, random))
      .join(' '),
  });
}

export function resumeOf(
  { fullName, email, phone, position, experience }: Required<ApplicationInput>,
  random: Random,
): string[] {
  const before = (person: Person, years: string) => `${years}  ${position || 'Consultant'}, ${person.company}`;
  return [
    fullName,
    [email, phone].filter(Boolean).join('   '),
    '',
    `${position}, ${experience} years of experience`,
    '',
    before(personOf(random, 0), '2023 - now '),
    before(personOf(random, 0), '2019 - 2023'),
    '',
    ...random.some(letters, 3).map((sentence) => filled(sentence, random)),
  ];
}

/** Notes that admins write about submissions. */
export const notes = [
  'Called back, they want a fixed price for the first phase.',
  'Wrong region, forwarded to a partner.',
  'Proposal sent, answer expected at the end of the month.',
  'Very good conversation; second call with their controller.',
  'No budget this year. Ask again in January.',
];

const subjects = [
  'the general ledger',
  'the month-end close',
  'inventory counts',
  'revenue recognition',
  'vendor bill approvals',
  'intercompany eliminations',
  'sales tax',
  'saved searches',
  'Shopify orders',
  'bank reconciliation',
  'landed cost',
  'demand planning',
  'the audit trail',
  'user roles',
  'data migration',
  'script governance',
  'sandbox refreshes',
];
const angles: readonly ((subject: string) => string)[] = [
  (subject) => `What we learned about ${subject}`,
  (subject) => `A checklist for ${subject}`,
  (subject) => `Five questions about ${subject}`,
  (subject) => `Before you change ${subject}`,
  (subject) => `Who owns ${subject}?`,
  (subject) => `How a distributor fixed ${subject}`,
  (subject) => `The cost of getting ${subject} wrong`,
  (subject) => `A quiet year with ${subject}`,
];
const sentences = [
  'Most of the work happens before anybody opens NetSuite.',
  'Write down who decides, and by when, and what happens if nobody does.',
  'In {2-9} of the last {10-20} projects the general ledger was right and the subledger was not.',
  'A saved search that everybody trusts is worth more than a dashboard that nobody reads.',
  'The standard covers more than people expect, and less than the demo suggested.',
  'Count the exceptions first: if there are more than {20-60} a week, the rule is wrong.',
  'An integration that fails loudly is better than one that fails at night.',
  'The team needed {2-6} weeks, of which {1-2} went into agreeing on words.',
  'Migrate balances, not history, unless an audit asks for it.',
  'Every script has an owner, a purpose and a date on which it is looked at again.',
  'The warehouse knows where the forecast is wrong long before finance does.',
  'Nobody misses the spreadsheet once the invoice, the order and the payment stand on one page.',
  'Close the period twice in the sandbox before you do it once for real.',
  'A role that can do everything will, sooner or later, do something it should not.',
  'Consolidation is arithmetic; agreeing on the chart of accounts is diplomacy.',
  'If a report needs an explanation, the explanation belongs on the report.',
  'Training is cheaper than support, and support is cheaper than rework.',
  'The budget was kept because the scope was written down and the changes were counted.',
  'Ask the people who do the work what they keep in a notebook beside the keyboard.',
  'A number that is checked by two people is checked by neither.',
  'Turn off what nobody uses before you buy what everybody wants.',
  'The first month is noisy; judge by the third.',
  'Give every field a reason, or take it off the form.',
  'An approval that takes {2-6} days is a policy, whatever the manual says.',
  'Test with the ugliest {10-40} orders of last year, and with none that somebody made up.',
  'What is not reconciled every week is reconciled every quarter, at night.',
];
const headings = ['Where it begins', 'What goes wrong', 'What worked', 'A plan for the first month', 'What to measure'];
const links = [
  '<a href="/services/implementation">how we implement</a>',
  '<a href="/resources/netsuite-integration-strategy">our guide to integrations</a>',
  '<a href="/services/support">what support covers</a>',
  '<a href="/resources/project-recovery">how a project is recovered</a>',
  '<a href="/contact">tell us about yours</a>',
];

/** An image of the media library that posts can show. */
export interface ShownPicture {
  readonly url: string;
  readonly alt: string;
  readonly width: number | null;
  readonly height: number | null;
}

interface WrittenPost {
  readonly title: string;
  /** HTML as the sanitizer returns it. */
  readonly content: string;
  readonly excerpt: string;
}

/**
 * Generates a post with headings, links, a list or a table, and images if there are any. Each index has a different
 * title.
 */
export function postOf(random: Random, index: number, pictures: readonly ShownPicture[]): WrittenPost {
  const combinations = angles.length * subjects.length;
  // The step 37 and the length of the list have no common divisor, so every combination is used, and neighboring posts
  // differ in both parts.
  const place = (index * 37) % combinations;
  const round = Math.floor(index / combinations);
  const title = angles[place % angles.length]!(subjects[Math.floor(place / angles.length)]!);
  // Uses every sentence once before it repeats one.
  let deck: string[] = [];
  const sentence = (): string => {
    if (deck.length === 0) deck = random.shuffled(sentences);
    return filled(deck.pop() ?? '', random);
  };
  const several = (count: number) => Array.from({ length: count }, sentence);
  const paragraph = (count: number) => `<p>${several(count).join(' ')}</p>`;
  const picture = (): string => {
    const { url, alt, width, height } = random.pick(pictures);
    const size = width === null ? '' : ` width="${width}" height="${height}"`;
    return `<p><img src="${url}" alt="${alt}"${size} loading="lazy" decoding="async" /></p>`;
  };
  const parts = random.some(headings, random.between(2, 4)).map((heading) => {
    const extras = [
      `<ul>${several(3)
        .map((item) => `<li>${item}</li>`)
        .join('')}</ul>`,
      tableOf(random),
      `<blockquote>${paragraph(1)}</blockquote>`,
      ...(pictures.length > 0 ? [picture()] : []),
    ];
    return `<h2>${heading}</h2>${paragraph(random.between(3, 6))}${random.pick(extras)}${paragraph(random.between(2, 4))}`;
  });
  const content = `${paragraph(4)}${parts.join('')}<p>Read on: ${random.pick(links)}.</p>`;
  return {
    title: round === 0 ? title : `${title}, part ${round + 1}`,
    content,
    excerpt: sentence(),
  };
}

function tableOf(random: Random): string {
  const row = (name: string) =>
    `<tr><td>${name}</td><td>${random.between(4, 14)}</td><td>${random.between(2, 6)}</td></tr>`;
  return `<table><thead><tr><th>Step</th><th>Days before</th><th>Days after</th></tr></thead><tbody>${random
    .some(['Subledgers', 'Accruals', 'Reconciliation', 'Consolidation', 'Reporting'], 3)
    .map(row)
    .join('')}</tbody></table>`;
}

/** Returns a one-sentence description of an image. */
export const pictureAlt = (random: Random): string =>
  `Bars and a line: ${random.some(subjects, 2).join(' and ')}, before and after`;

/** Returns a file name without an extension. */
export const fileNameOf = (random: Random, index: number): string =>
  `${random.pick(subjects).replace('the ', '')} ${index + 1}`.replaceAll(' ', '-');

/** Returns the lines of a generated document. */
export const documentOf = (random: Random): string[] => [
  `Checklist: ${random.pick(subjects)}`,
  '',
  ...random.some(sentences, 8).map((sentence) => `- ${filled(sentence, random)}`),
];
