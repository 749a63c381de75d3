import { type ApplicationInput, applicationFields, experiences, positions } from '../../src/domain/application.ts';
import { inputSchema } from '../../src/domain/field-schema.ts';
import { type InquiryInput, inquiryFields, serviceInterests } from '../../src/domain/inquiry.ts';
import { type Person, personOf } from './people.ts';
import type { Random } from './random.ts';

/** Replaces `{2-9}` in a sentence with a random number in that range. */
const filled = (sentence: string, random: Random): string =>
  sentence.replace(/\{(\d+)-(\d+)\}/g, (_, least, most) => String(random.between(Number(least), Number(most))));

const situations = [
  'We run {2-9} subsidiaries in one NetSuite account, and our month-end close takes {6-14} days.',
  "Our general ledger and our warehouse counts haven't matched since we went live this spring.",
  "We've outgrown QuickBooks. We have {20-90} users and {2-6} warehouses, and we key every invoice twice.",
  'Our audit starts in {3-9} weeks, and the auditors want support for every journal entry over ${5-50},000.',
  'Our Shopify orders reach NetSuite hours late, and about {2-9}% never make it.',
  'Our previous partner left us with {40-300} scripts and no documentation.',
  'We do revenue recognition in a spreadsheet with {12-60} tabs, and only one person understands it.',
  "Our go-live has slipped twice, and we're {20-80}% over budget.",
  'Vendor bill approvals get stuck in email, so we pay late and lose early-payment discounts.',
  'Our sales tax is wrong in {3-12} states, and we correct every return by hand.',
  'We acquired a company on a different ERP and need to consolidate both sets of books by year-end.',
  "Our demand plan and our purchase orders don't agree, and the forecast matches neither.",
  "Our Celigo flows fail overnight, and we don't find out until a customer calls.",
  'Our saved searches have been timing out since we passed {2-9} million transactions.',
];
const questions = ['Who is the right person to talk to about this?', 'Do you also train in-house administrators?'];
/** What people ask for, by service. Inquiries without a service use {@link questions}. */
const wants: Readonly<Record<string, readonly string[]>> = {
  'digital-roadmap': [
    "We'd like a roadmap for the next {12-36} months before we buy anything else.",
    'Could you review our processes and tell us what to fix first?',
  ],
  'project-recovery': [
    'We need an honest opinion on whether this project can be saved.',
    'Could your team start within {1-4} weeks and get us back on track?',
  ],
  implementation: [
    "We're looking for a partner for phase one: finance, purchasing and inventory.",
    'What would an implementation cost for a company our size, and how long would it take?',
  ],
  development: [
    'We need an integration with our order management system and a team to take over our scripts.',
    'Can you review our customizations and replace the ones that NetSuite now covers out of the box?',
  ],
  support: [
    "We're looking for {10-60} hours of support a month and a dedicated consultant.",
    'Do you offer a plan with same-day response during our close?',
  ],
};
const closings = [
  'Could we set up a call next week? Mornings work best.',
  'Our controller and I would both like to join the call.',
  'Please let us know what you need from us for an estimate.',
  "We'd like to make a decision by the end of the quarter.",
  'Thanks for your time.',
];
const spam = [
  'Hello, we offer SEO services and quality backlinks. Rank on Google within a week: https://seo.example https://links.example',
  'Make money online with our crypto trading robot, casino bonus included: www.gains.example www.bonus.example',
  'Your site could be on the first page of Google. Guest post packages: [url=https://posts.example]here[/url]',
];

const inquiryInput = inputSchema(inquiryFields);
const applicationInput = inputSchema(applicationFields);

/** Generates an inquiry. About one in twelve looks like spam. */
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
  'I have worked with NetSuite for {2-12} years, including {2-5} implementations for distributors.',
  'I built the integration between our warehouse system and the general ledger, and my company still uses it.',
  'I helped cut our month-end close from {9-15} days to {3-6} days.',
  'I hold the SuiteFoundation certification and am preparing for the ERP Consultant exam.',
  "I enjoy explaining inventory costing to people who don't work in accounting.",
  'I led a team of {2-9} people through an audit with no findings.',
  'I write readable SuiteScript, and I test the scripts that matter most.',
  'I live in the South Bay and would like to work with clients on-site.',
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
    before(personOf(random, 0), '2023 - present'),
    before(personOf(random, 0), '2019 - 2023'),
    '',
    ...random.some(letters, 3).map((sentence) => filled(sentence, random)),
  ];
}

/** Notes that admins write about submissions. */
export const notes = [
  'Called back. They want a fixed price for phase one.',
  'Outside our region. Referred them to a partner.',
  'Sent a proposal. They expect to decide by the end of the month.',
  'Great call. Follow-up scheduled with their controller.',
  'No budget this year. Check back in January.',
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
  (subject) => `Who is responsible for ${subject}?`,
  (subject) => `How a distributor fixed ${subject}`,
  (subject) => `The cost of getting ${subject} wrong`,
  (subject) => `How to simplify ${subject}`,
];
const sentences = [
  'Most of the work happens before anyone opens NetSuite.',
  'Write down who makes the decision, the deadline, and the default if no one decides.',
  'In {2-9} of our last {10-20} projects, the general ledger was right and the subledger was wrong.',
  'Build one saved search that the whole team trusts before you build a dashboard.',
  'Standard NetSuite features cover more than most teams expect.',
  'Count the exceptions first. If there are more than {20-60} a week, change the rule.',
  'Every failed integration run should send an alert.',
  'The project took {2-6} weeks, including {1-2} weeks to agree on definitions.',
  'Migrate opening balances, and leave the history behind unless your auditors need it.',
  'Give every script an owner, a purpose and a review date.',
  'The warehouse team often spots a bad forecast weeks before finance does.',
  'Once the order, the invoice and the payment are on one page, the team can retire the spreadsheet.',
  'Practice the close twice in a sandbox before you close in production.',
  'Limit the Administrator role to the people who need it every day.',
  'Agree on the chart of accounts before you start the consolidation.',
  'If a report needs an explanation, put the explanation on the report.',
  'Training costs less than support, and support costs less than rework.',
  'The team stayed on budget because it wrote down the scope and tracked every change.',
  'Ask the people who do the work which steps they track on paper.',
  'Name one person to check each number.',
  'Turn off unused features before you buy new ones.',
  'Results vary in the first month, so wait for the third before you judge them.',
  'If a field has no clear purpose, remove it from the form.',
  'If approvals take {2-6} days, add a backup approver.',
  'Test with the {10-40} most complicated orders from last year.',
  'Reconcile every week so the quarter-end goes faster.',
];
const headings = ['Where to start', 'What goes wrong', 'What worked', 'A plan for the first month', 'What to measure'];
const links = [
  '<a href="/services/implementation">how we implement</a>',
  '<a href="/resources/netsuite-integration-strategy">our integration guide</a>',
  '<a href="/services/support">what support covers</a>',
  '<a href="/resources/project-recovery">how we recover a project</a>',
  '<a href="/contact">tell us about your project</a>',
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
  // 37 and the number of combinations have no common divisor, so all combinations are used before the first one
  // repeats. Consecutive titles differ in both the angle and the subject.
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
  const content = `${paragraph(4)}${parts.join('')}<p>Learn more: ${random.pick(links)}.</p>`;
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
  `Chart of ${random.some(subjects, 2).join(' and ')}, before and after`;

/** Returns a file name without an extension. */
export const fileNameOf = (random: Random, index: number): string =>
  `${random.pick(subjects).replace('the ', '')} ${index + 1}`.replaceAll(' ', '-');

/** Returns the lines of a generated document. */
export const documentOf = (random: Random): string[] => [
  `Checklist: ${random.pick(subjects)}`,
  '',
  ...random.some(sentences, 8).map((sentence) => `- ${filled(sentence, random)}`),
];
