import process from 'node:process';
import { parseArgs } from 'node:util';
import { addHours } from 'date-fns/addHours';
import { connect } from '../../netlify/server/platform/connect-database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { receiveMedia } from '../../netlify/server/files/receive-media.ts';
import { idOf } from '../../netlify/server/http/retry-id.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { firstSections } from '../../netlify/server/publishing/first-sections.ts';
import type { Env } from '../../netlify/server/runtime/env.ts';
import { type Services, servicesOf } from '../../netlify/server/services.ts';
import { newSubmission } from '../../netlify/server/submissions/submissions.ts';
import { serverCommand as who } from '../../src/domain/activity.ts';
import { experiences, positions } from '../../src/domain/application.ts';
import { serviceInterests } from '../../src/domain/inquiry.ts';
import { slugOf } from '../../src/domain/slug.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { openPlatform } from '../data/platform.ts';

const kinds = ['posts', 'media', 'inquiries', 'applications'] as const;
type Amounts = Record<(typeof kinds)[number], number>;
const usual: Amounts = { posts: 24, media: 24, inquiries: 60, applications: 20 };

const usage = `Fills the site on this machine with made-up data, for demos and benchmarks. It sends no email and changes no existing data.

  node host/commands/seed.ts                 ${usual.posts} posts, ${usual.media} files, ${usual.inquiries} inquiries, ${usual.applications} applications
  node host/commands/seed.ts --posts 10000 --media 1000 --inquiries 100000 --applications 10000
  node host/commands/seed.ts --yes           also if LIBSQL_URL names a database server

The same numbers again add nothing. It refuses a site in production (CONTEXT=production, or an https SITE_URL).`;

const firstNames = ['Dana', 'Luis', 'Priya', 'Marcus', 'Elena', 'Tom', 'Aisha', 'Kenji', 'Rosa', 'Noah', 'Ingrid'];
const lastNames = ['Whitfield', 'Ortega', 'Nakamura', 'Brooks', 'Lindqvist', 'Okafor', 'Hale', 'Moreno', 'Park'];
const companies = [
  'Harbor Foods',
  'Redondo Supply',
  'Pacific Valve',
  'Crestline Apparel',
  'Bluff Medical',
  'Mesa Tools',
  'Palisade Lighting',
];
const situations = [
  'We run several subsidiaries in one NetSuite account, and our month-end close takes two weeks.',
  "Our general ledger and our warehouse counts haven't matched since we went live this spring.",
  "We've outgrown QuickBooks, and we key every invoice twice.",
  'Our Shopify orders reach NetSuite hours late.',
  'Our previous partner left us with 200 scripts and no documentation.',
  "Our go-live has slipped twice, and we're over budget.",
  'Our sales tax is wrong in three states, and we correct every return by hand.',
  'Our saved searches have been timing out since we passed three million transactions.',
];
const questions = [
  'Could we set up a call next week?',
  'What would it cost?',
  'Could your team start this month?',
  'Do you also train administrators?',
  "We'd like an honest opinion.",
];
const spam =
  'Make money online with our crypto trading robot, casino bonus included: www.gains.example www.bonus.example';
const letters = [
  'I have worked with NetSuite for six years, including three implementations for distributors.',
  'I built the integration between our warehouse system and the general ledger.',
  'I helped cut our month-end close from twelve days to four.',
  'I write readable SuiteScript, and I test the scripts that matter most.',
  'I live in the South Bay and would like to work with clients on-site.',
];
const notes = ['Called back. They want a fixed price for phase one.', 'Outside our region.', 'Sent a proposal.'];
const angles = ['A checklist for', 'Five mistakes in', 'How we test', 'What to ask about', 'A short guide to'];
const subjects = [
  'month-end close',
  'landed cost',
  'sales tax in NetSuite',
  'saved searches',
  'inventory counts',
  'approval workflows',
  'data migration',
  'revenue recognition',
  'role permissions',
  'bank reconciliation',
  'demand planning',
];
const files = ['warehouse', 'go-live-team', 'dashboard', 'whiteboard', 'forklift', 'office', 'packing-line'];

const day = 24 * 60 * 60_000;
/** Made-up items have dates within this many days before today. */
const spanDays = 700;

/** Returns an entry of a list. The lengths of the lists have no common factor, so their combinations rarely repeat. */
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
export async function seedSite(amounts: Amounts, { stores, now }: Services): Promise<Amounts> {
  const midnight = Date.parse(now().toISOString().slice(0, 10));
  /** Returns the time of an item. Items with a higher index are older, and newer items are closer together. */
  const timeOf = (index: number, count: number) =>
    new Date(midnight - ((index + 0.5) / count) ** 2 * spanDays * day - ((index * 37) % 600) * 60_000);
  const did = (action: string, subject: string, at: Date) =>
    stores.activity.create([{ at: at.toISOString(), who, action, subject }]);
  await stores.sections.addMissing(firstSections, new Date(midnight).toISOString());

  const pictures: { url: string; alt: string }[] = [];
  const addFile = async (index: number): Promise<number> => {
    const at = timeOf(index, amounts.media);
    const name = pick(files, index);
    const file =
      index % 8 === 7
        ? {
            name: `${name}-${index}.txt`,
            bytes: new TextEncoder().encode(`Notes ${index}: ${pick(situations, index)}`),
          }
        : { name: `${name}-${index}.webp`, bytes: await pictureAt(index) };
    const { record, created } = await stores.media.create(await receiveMedia({ ...file, type: '' }), at.toISOString());
    // Every tenth picture has no alternative text yet, as in a real library.
    const alt = record.width === null || index % 10 === 9 ? '' : `A ${name.replaceAll('-', ' ')}`;
    if (alt !== '') pictures.push({ url: record.url, alt });
    if (!created) return 0;
    if (alt !== '') await stores.media.update(record.id, { alt, decorative: false });
    await did('uploaded the file', record.originalName, at);
    return 1;
  };

  const addPost = async (index: number): Promise<number> => {
    const number = Math.floor(index / (angles.length * subjects.length));
    const title = `${pick(angles, index)} ${pick(subjects, index)}${number === 0 ? '' : `, part ${number + 1}`}`;
    const id = idOf(`seed:post:${index}`, { title });
    if (await stores.posts.get(id)) return 0;
    const at = timeOf(index, amounts.posts);
    const picture = pictures.length === 0 ? null : pick(pictures, index);
    const draft = index % 6 === 4;
    const post = {
      title,
      slug: await stores.posts.freeSlug(slugOf(title)),
      excerpt: pick(situations, index),
      content: contentAt(index, picture),
      featuredImage: picture?.url ?? null,
      status: draft ? ('draft' as const) : ('published' as const),
      publishAt: null,
      keepOriginalDate: false,
    };
    if (!(await stores.posts.create(id, post, { by: who, at: at.toISOString() }))) return 0;
    await did(draft ? 'created the post' : 'published the new post', title, at);
    return 1;
  };

  /** The history of a submission: four in ten have been handled, and one in ten has a note. */
  const pastOf = ({ createdAt, status }: { createdAt: string; status: string }, index: number) => ({
    mailedAt: createdAt,
    handledAt: status === 'inbox' && index % 5 < 2 ? addHours(createdAt, 1 + (index % 40)).toISOString() : null,
    note: index % 10 === 3 ? pick(notes, index) : '',
  });

  const addInquiries = async (indexes: readonly number[]): Promise<number> =>
    await stores.inquiries.createPast(
      indexes.map((index) => {
        const { phone: _, ...person } = personAt(index);
        const message = index % 12 === 11 ? spam : `${pick(situations, index)} ${pick(questions, index)}`;
        const input = { ...person, serviceInterest: pick(serviceInterests, index).value, message };
        const marks = { key: `seed:inquiry:${index}`, fromForm: false };
        const made = newSubmission(input, input, marks, timeOf(index, amounts.inquiries));
        return { ...made, ...pastOf(made, index), input };
      }),
    );

  const addApplications = async (indexes: readonly number[]): Promise<number> =>
    await stores.applications.createPast(
      await Promise.all(
        indexes.map(async (index) => {
          const { company: _, ...person } = personAt(index);
          const coverLetter = `${pick(letters, index)} ${pick(letters, index + 2)}`;
          const input = {
            ...person,
            position: pick(positions, index),
            experience: pick(experiences, index),
            coverLetter,
          };
          // A person leaves this hidden field empty.
          const website = index % 15 === 14 ? 'https://resume.example' : '';
          const marks = { key: `seed:application:${index}`, fromForm: false, website };
          const words = { fullName: input.fullName, message: coverLetter };
          const made = newSubmission(input, words, marks, timeOf(index, amounts.applications));
          const bytes = resumeOf(`${input.fullName}, ${input.position}`);
          // Stores the resume first, as for a real application, so every application in the database has its resume.
          await stores.resumes.create(made.id, bytes);
          const resume = { name: `${input.fullName} resume.pdf`, kind: 'pdf' as const, size: bytes.byteLength };
          return { ...made, ...pastOf(made, index), input, resume };
        }),
      ),
    );

  /** Adds items in batches. An embedded database stores each batch in one commit. */
  const inBatches = async (count: number, size: number, add: (indexes: readonly number[]) => Promise<number>) => {
    let added = 0;
    for (let from = 0; from < count; from += size) {
      added += await add(Array.from({ length: Math.min(size, count - from) }, (_, index) => from + index));
    }
    return added;
  };
  const each = (add: (index: number) => Promise<number>) => async (indexes: readonly number[]) =>
    (await Promise.all(indexes.map(add))).reduce((sum, added) => sum + added, 0);
  return {
    media: await inBatches(amounts.media, 16, each(addFile)),
    posts: await inBatches(amounts.posts, 64, each(addPost)),
    inquiries: await inBatches(amounts.inquiries, 1_000, addInquiries),
    applications: await inBatches(amounts.applications, 100, addApplications),
  };
}

/** Draws a picture whose colors depend on the index, because the media library stores identical bytes only once. */
async function pictureAt(index: number): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const background = { r: (index * 53) % 256, g: (index * 97) % 256, b: (index * 151 + (index >> 8)) % 256 };
  return new Uint8Array(
    await sharp({ create: { width: 1200, height: 675, channels: 3, background } })
      .webp()
      .toBuffer(),
  );
}

function contentAt(index: number, picture: { url: string; alt: string } | null): string {
  const paragraph = (offset: number) => `<p>${pick(situations, index + offset)} ${pick(letters, index + offset)}</p>`;
  const image =
    picture === null ? '' : `<p><img src="${picture.url}" alt="${picture.alt}" loading="lazy" decoding="async" /></p>`;
  const list = `<ul><li><p>${pick(questions, index)}</p></li><li><p>${pick(questions, index + 1)}</p></li></ul>`;
  return `${paragraph(0)}<h2>Start with the numbers</h2>${paragraph(1)}${image}${list}<h2>Then test</h2>${paragraph(2)}`;
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

/** Reads the arguments of the command. @throws {CommandError} with the usage if an argument is unknown. */
function argumentsOf(words: string[]): { amounts: Amounts; yes: boolean } {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: words,
      options: { posts: text, media: text, inquiries: text, applications: text, yes: { type: 'boolean' } },
    });
    const amounts = Object.fromEntries(kinds.map((kind) => [kind, Number(values[kind] ?? usual[kind])])) as Amounts;
    if (Object.values(amounts).every((amount) => Number.isSafeInteger(amount) && amount >= 0)) {
      return { amounts, yes: values.yes ?? false };
    }
  } catch {
    // An unknown option. The usage lists the known ones.
  }
  throw new CommandError(usage);
}

/**
 * @throws {CommandError} for a site in production, because made-up people could be mistaken for real ones. Also throws
 * for a database server, which other people may use, unless `yes` is true.
 */
function requireHarmless(env: Env, yes: boolean): void {
  if (env.production || env.SITE_URL?.startsWith('https:')) {
    throw new CommandError(
      'This site is in production (CONTEXT=production, or an https SITE_URL), so no made-up data was added. Run the command on a test site.',
    );
  }
  if (env.LIBSQL_URL !== undefined && !env.LIBSQL_URL.startsWith('file:') && !yes) {
    throw new CommandError(
      'LIBSQL_URL names a database server that other people may use. To fill it anyway, add --yes.',
    );
  }
}

/** Migrates the database of an environment, and fills the site. @returns how many items of each kind were added. */
export async function fillSite(env: Env, amounts: Amounts): Promise<Amounts> {
  const platform = await openPlatform(env);
  lendPlatform(platform);
  const database = await connect(platform.env);
  try {
    await migrate(database);
    return await seedSite(amounts, servicesOf(platform.env, database, platform.openBlobStore));
  } finally {
    database.close();
    await platform.close();
  }
}

async function main(): Promise<void> {
  const { amounts, yes } = argumentsOf(process.argv.slice(2));
  const env = ownEnvironment();
  requireHarmless(env, yes);
  process.umask(0o077);
  const began = Date.now();
  const added = await fillSite(env, amounts);
  const what = kinds.map((kind) => `${added[kind].toLocaleString('en-US')} ${kind === 'media' ? 'files' : kind}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(
    `Added ${what.join(', ')} to ${env.LIBSQL_URL ?? env.DATA_DIR} in ${seconds} s. No email is sent to these people.`,
  );
  console.log('A running site shows the new posts after a restart, or after an admin saves a post.');
}

if (import.meta.main) await main().catch(failStart);
