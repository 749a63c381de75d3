import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { addHours } from 'date-fns/addHours';
import sharp from 'sharp';
import { receiveMedia } from '../../netlify/server/media/receive.ts';
import { idOf } from '../../netlify/server/http/body.ts';
import { firstSections } from '../../netlify/server/sections/first-sections.ts';
import type { Env } from '../../netlify/server/env.ts';
import type { Services } from '../../netlify/server/services.ts';
import { suspicionsAbout } from '../../netlify/server/submissions/spam.ts';
import type { NewSubmission } from '../../netlify/server/submissions/store.ts';
import { serverCommand as who } from '../../src/domain/activity.ts';
import { experiences, positions } from '../../src/domain/submissions/application.ts';
import { serviceInterests } from '../../src/domain/submissions/inquiry.ts';
import { slugOf } from '../../src/domain/posts/post-input.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { readArguments, withServices } from './command.ts';

const usage = `Fills the site on this machine with made-up data, for demos and benchmarks. It sends no email and changes no existing data.

  node host/commands/seed.ts                 24 posts, 24 files, 60 inquiries, 20 applications
  node host/commands/seed.ts --posts 10000 --media 1000 --inquiries 100000 --applications 10000

If you run the command again with the same numbers, it adds nothing. It refuses a database server (LIBSQL_URL), and a site in production (CONTEXT=production, or an https SITE_URL).`;

type Amounts = Record<'posts' | 'media' | 'inquiries' | 'applications', number>;

const firstNames = ['Dana', 'Luis', 'Priya', 'Marcus', 'Elena', 'Tom', 'Aisha', 'Kenji', 'Rosa', 'Noah', 'Ingrid'];
const lastNames = ['Whitfield', 'Ortega', 'Nakamura', 'Brooks', 'Lindqvist', 'Okafor', 'Hale', 'Moreno', 'Park'];
const companies = ['Harbor Foods', 'Redondo Supply', 'Pacific Valve', 'Crestline Apparel', 'Bluff Medical'];
const situations = [
  'We run several subsidiaries in one NetSuite account, and our month-end close takes two weeks.',
  "Our general ledger and our warehouse counts haven't matched since we went live this spring.",
  "We've outgrown QuickBooks, and we key every invoice twice.",
  'Our Shopify orders reach NetSuite hours late.',
  'Our previous partner left us with 200 scripts and no documentation.',
  "Our go-live has slipped twice, and we're over budget.",
  'Our sales tax is wrong in three states, and we correct every return by hand.',
];
const letters = [
  'I have worked with NetSuite for six years, including three implementations for distributors.',
  'I built the integration between our warehouse system and the general ledger.',
  'I helped cut our month-end close from twelve days to four.',
  'I live in the South Bay and would like to work with clients on-site.',
];
const spam = 'Make money online with our crypto trading robot, casino bonus: www.gains.example www.bonus.example';
/** What the posts are about, and the drawing in content/drawings for the covers of these posts. */
const subjects = [
  { name: 'saved searches', drawing: 'assistant' },
  { name: 'sales channels', drawing: 'flows' },
  { name: 'phased rollouts', drawing: 'modules' },
  { name: 'late projects', drawing: 'rescue' },
  { name: 'project payback', drawing: 'return' },
  { name: 'scheduled scripts', drawing: 'script' },
] as const;
const angles = ['A checklist for', 'Five mistakes in', 'How we test', 'What to ask about', 'A short guide to'];
const advice = [
  'Write down today’s figure before you change anything. Without it, nobody can tell whether the change helped.',
  'Choose one owner. Two owners each expect that the other one has checked the total.',
  'Run the check on a copy of last month first. The answer is known, so a wrong result stands out.',
  'Record each difference with its reason and a date. A difference without a reason returns next month.',
];

const day = 24 * 60 * 60_000;
/** Made-up items have dates within this many days before today. */
const spanDays = 700;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

function personAt(index: number) {
  const [first, last, company] = [pick(firstNames, index), pick(lastNames, index), pick(companies, index)];
  const email = `${first}.${last}${index}@${slugOf(company)}.example`.toLowerCase();
  return { fullName: `${first} ${last}`, company, email, phone: `(310) 555-01${String(index % 100).padStart(2, '0')}` };
}

/**
 * Fills a site through the site's own stores. The same index on the same day gives the same item, and an item that
 * exists is not added again. Sends no email: the transaction that stores a submission also marks its emails as sent.
 * @returns how many items of each kind were added.
 */
export const fillSite = (env: Env, amounts: Amounts): Promise<Amounts> =>
  withServices(env, (services) => addItems(services, amounts));

async function addItems({ stores, now }: Services, amounts: Amounts): Promise<Amounts> {
  const midnight = Date.parse(now().toISOString().slice(0, 10));
  /** Returns the time of an item. Items with a higher index are older, and newer items are closer together. */
  const timeOf = (index: number, count: number) =>
    new Date(midnight - ((index + 0.5) / count) ** 2 * spanDays * day - ((index * 37) % 600) * 60_000).toISOString();
  await stores.sections.addMissing(firstSections, new Date(midnight).toISOString());

  /** Covers with an alternative text. The cover with the index of a post shows the post's subject. */
  const covers = new Map<number, { url: string; alt: string }>();
  const coverAt = (index: number) => covers.get(index % amounts.media) ?? null;
  const addFile = async (index: number): Promise<boolean> => {
    const { bytes, alt } = await drawCover(index);
    const file = { name: `${slugOf(pick(subjects, index).name)}-${index}.webp`, bytes, type: '' };
    const { record, created } = await stores.media.create(await receiveMedia(file), timeOf(index, amounts.media));
    // Every tenth picture has no alternative text yet, as in a real library.
    if (index % 10 !== 9) {
      covers.set(index, { url: record.url, alt });
      if (created) await stores.media.update(record.id, { alt, decorative: false });
    }
    return created;
  };

  const addPost = async (index: number): Promise<boolean> => {
    const part = Math.floor(index / (angles.length * subjects.length));
    const title = `${pick(angles, index)} ${pick(subjects, index).name}${part === 0 ? '' : `, part ${part + 1}`}`;
    const id = idOf(`seed:post:${index}`, { title });
    if (await stores.posts.get(id)) return false;
    const post = {
      title,
      slug: await stores.posts.freeSlug(slugOf(title)),
      excerpt: pick(advice, index + 3),
      // The next cover of the same subject.
      content: contentAt(index, coverAt(index + subjects.length)),
      featuredImage: coverAt(index)?.url ?? null,
      status: index % 6 === 4 ? ('draft' as const) : ('published' as const),
      publishAt: null,
      keepOriginalDate: false,
    };
    return (await stores.posts.create(id, post, { by: who, at: timeOf(index, amounts.posts) })) !== null;
  };

  /** Makes a submission. One in twelve is spam, four in ten have been handled, and one in ten has a note. */
  const pastAt = (kind: 'inquiries' | 'applications', index: number, input: NewSubmission['input']) => {
    const createdAt = timeOf(index, amounts[kind]);
    const suspicions = suspicionsAbout(input, { honeypot: '', filledTooFast: false });
    const isHandled = suspicions.length === 0 && index % 5 < 2;
    return {
      id: idOf(`seed:${kind}:${index}`, {}),
      createdAt,
      suspicions,
      input,
      handledAt: isHandled ? addHours(createdAt, 1 + (index % 40)).toISOString() : null,
      note: index % 10 === 3 ? 'Called back. They want a fixed price.' : '',
    };
  };
  const messageAt = (index: number, words: string) => (index % 12 === 11 ? spam : words);

  const inquiryAt = (index: number) => {
    const { phone: _, ...person } = personAt(index);
    const message = messageAt(index, `${pick(situations, index)} Could we set up a call next week?`);
    return pastAt('inquiries', index, { ...person, serviceInterest: pick(serviceInterests, index).value, message });
  };

  const applicationAt = async (index: number) => {
    const { company: _, ...person } = personAt(index);
    const coverLetter = messageAt(index, `${pick(letters, index)} ${pick(letters, index + 2)}`);
    const choices = { position: pick(positions, index), experience: pick(experiences, index) };
    const made = pastAt('applications', index, { ...person, ...choices, coverLetter });
    const bytes = resumeOf(`${person.fullName}, ${choices.position}`);
    // Stores the resume first, as for a real application, so every application in the database has its resume.
    await stores.resumes.create(made.id, bytes);
    const resume = { name: `${person.fullName} resume.pdf`, kind: 'pdf' as const, size: bytes.byteLength };
    return { ...made, resume };
  };

  const each = (add: (index: number) => Promise<boolean>) => async (indexes: readonly number[]) =>
    (await Promise.all(indexes.map(add))).filter(Boolean).length;
  return {
    media: await inBatches(amounts.media, 16, each(addFile)),
    posts: await inBatches(amounts.posts, 64, each(addPost)),
    inquiries: await inBatches(amounts.inquiries, 1_000, (indexes) =>
      stores.submissions.createPast('inquiry', indexes.map(inquiryAt)),
    ),
    applications: await inBatches(amounts.applications, 100, async (indexes) =>
      stores.submissions.createPast('application', await Promise.all(indexes.map(applicationAt))),
    ),
  };
}

/** Adds items in batches, because a database file stores each batch in one commit. @returns how many were added. */
async function inBatches(count: number, size: number, add: (indexes: readonly number[]) => Promise<number>) {
  let added = 0;
  for (let from = 0; from < count; from += size) {
    added += await add(Array.from({ length: Math.min(size, count - from) }, (_, index) => from + index));
  }
  return added;
}

function contentAt(index: number, picture: { url: string; alt: string } | null): string {
  const paragraph = (offset: number) => `<p>${pick(advice, index + offset)}</p>`;
  const image =
    picture === null ? '' : `<p><img src="${picture.url}" alt="${picture.alt}" loading="lazy" decoding="async" /></p>`;
  return `${paragraph(0)}<h2>Start with the numbers</h2>${paragraph(1)}${image}<h2>Then test</h2>${paragraph(2)}${paragraph(3)}`;
}

/** The site's colors for paper, ink, rules and highlights. Every second one is dark. */
const palettes = [
  { paper: '#0a3324', ink: '#8ed0a6', rule: '#4b7a62', strong: '#17533a' },
  { paper: '#dde9d5', ink: '#0b4f36', rule: '#8fa894', strong: '#fcfaf4' },
];

/**
 * Draws the cover of a post about the subject with this index. Covers with different indexes differ.
 * @returns the picture, and an alternative text for it.
 */
async function drawCover(index: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; alt: string }> {
  const { paper, ink, rule, strong } = palettes[(index + Math.floor(index / subjects.length)) % 2]!;
  const file = new URL(`../../content/drawings/${pick(subjects, index).drawing}.svg`, import.meta.url);
  const [, alt = '', shapes = ''] = /<title>(.*)\.<\/title>([\s\S]*)<\/svg>/.exec(await readFile(file, 'utf8')) ?? [];
  // The position of the margin and of the lines differs in any two of the first 4,850 covers.
  const lines = Array.from({ length: 17 }, (_, row) => `M0 ${(index % 50) + row * 50 - 25}h1200`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800">
    <style>
      path { fill: none; stroke: ${ink}; stroke-width: 2 }
      .rules, .flow, .ruled { stroke: ${rule} }
      .ruled { opacity: 0.35 }
      .row { fill: ${strong} }
      .strong, .tick { stroke-width: 4 }
      .records { stroke-width: 9; stroke-dasharray: 7 2 7 2 7 6 }
      .dots { stroke-width: 12; stroke-linecap: round }
    </style>
    <rect width="1200" height="800" fill="${paper}"/>
    <path class="ruled" d="${lines}M${90 + (index % 97)} 0v800m12 0v-800"/>
    <svg x="180" y="164" width="840" height="473" viewBox="0 0 480 270">${shapes}</svg>
  </svg>`;
  return { bytes: new Uint8Array(await sharp(Buffer.from(svg)).webp({ effort: 2 }).toBuffer()), alt };
}

/** Writes a PDF with one line of text. PDF readers rebuild the missing table of objects. */
function resumeOf(line: string): Uint8Array<ArrayBuffer> {
  const text = `BT /F1 14 Tf 72 720 Td (${line.replaceAll(/[^\w ,.]/g, ' ')}) Tj ET`;
  return new TextEncoder().encode(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>> endobj
4 0 obj <</Length ${text.length}>> stream
${text}
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF
`);
}

async function main(): Promise<void> {
  const number = (usual: number) => ({ type: 'string' as const, default: String(usual) });
  const options = { posts: number(24), media: number(24), inquiries: number(60), applications: number(20) };
  const texts = readArguments({ options }, usage).values;
  const amounts = Object.fromEntries(Object.entries(texts).map(([kind, text]) => [kind, Number(text)])) as Amounts;
  if (!Object.values(amounts).every((amount) => Number.isSafeInteger(amount) && amount >= 0)) {
    throw new CommandError(usage);
  }
  const env = ownEnvironment();
  if (env.production || env.SITE_URL?.startsWith('https:')) {
    throw new CommandError(
      'This site is in production (CONTEXT=production, or an https SITE_URL), so no made-up data was added. Run the command on a test site.',
    );
  }
  if (env.LIBSQL_URL !== undefined) {
    throw new CommandError(
      'LIBSQL_URL names a database server, which other people may use, so no made-up data was added.',
    );
  }
  process.umask(0o077);
  const { posts, media, inquiries, applications } = await fillSite(env, amounts);
  const added = `${posts} posts, ${media} files, ${inquiries} inquiries, ${applications} applications`;
  console.log(`Added ${added} to ${env.DATA_DIR}. No email is sent to these people.`);
  console.log('A running site shows the new posts after a restart, or after an admin saves a post.');
}

if (import.meta.main) await main().catch(failStart);
