import { addHours } from 'date-fns/addHours';
import { addMilliseconds } from 'date-fns/addMilliseconds';
import { serverCommand as who } from '../../src/domain/activity.ts';
import { slugOf } from '../../src/domain/slug.ts';
import { firstSections } from '../../netlify/server/publishing/first-sections.ts';
import { receiveMedia } from '../../netlify/server/files/receive-media.ts';
import { idOf } from '../../netlify/server/http/retry-id.ts';
import type { Services } from '../../netlify/server/services.ts';
import { newSubmission } from '../../netlify/server/submissions/submissions.ts';
import { pdfOf, pictureFormats, pictureOf, textOf } from './files.ts';
import { type Random, randomOf } from './random.ts';
import {
  type ShownPicture,
  applicationOf,
  documentOf,
  fileNameOf,
  inquiryOf,
  notes,
  pictureAlt,
  postOf,
  resumeOf,
} from './texts.ts';

/** How many items of each kind to generate. */
export interface Amounts {
  readonly posts: number;
  readonly media: number;
  readonly inquiries: number;
  readonly applications: number;
}

/** How many items of each kind were added. Items of an earlier run with the same seed are not added again. */
export type Added = Amounts & { readonly sections: number };

const day = 24 * 60 * 60_000;
/** Generated items have dates within this many days before today. */
const spanDays = 700;
/**
 * Maximum number of images that are drawn, because drawing takes time. Further files repeat these images, and the media
 * library stores identical bytes only once.
 */
const mostDrawn = 36;

/**
 * Fills a site with generated data, through the site's own stores. The same seed on the same day generates the same
 * data, except the URLs of files, which the media library chooses. Sends no email: the transaction that stores a
 * submission also marks its emails as sent.
 * @param seed identifies the run.
 * @param say called after all items of one kind are added.
 */
export async function seedSite(
  amounts: Amounts,
  seed: number,
  services: Services,
  say: (noun: keyof Added, added: number) => void = () => undefined,
): Promise<Added> {
  const { stores, now } = services;
  const today = new Date(`${now().toISOString().slice(0, 10)}T00:00:00.000Z`);
  const random = (noun: string, index: number) => randomOf(seed, noun, index);
  /**
   * Returns the time of an item. Items with a higher index are older, and newer items are closer together. A random
   * shift of up to ten hours varies the time of day.
   */
  const timeOf = (index: number, count: number, numbers: Random) =>
    addMilliseconds(today, -(((index + 0.5) / count) ** 2) * spanDays * day - numbers.below(10 * 60) * 60_000);
  const did = (action: string, subject: string, at: Date) => ({ at: at.toISOString(), who, action, subject });
  const done = (noun: keyof Added, added: number) => {
    say(noun, added);
    return added;
  };

  const sections = (await stores.sections.addMissing(firstSections, today.toISOString())).length;
  done('sections', sections);

  const drawn = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  const pictures: ShownPicture[] = [];
  const addFile = async (index: number): Promise<number> => {
    const numbers = random('media', index);
    const at = timeOf(index, amounts.media, numbers);
    const stem = fileNameOf(numbers, index);
    const drawing = index % mostDrawn;
    const format = pictureFormats[drawing % pictureFormats.length]!;
    let file: { name: string; bytes: Uint8Array<ArrayBuffer> };
    if (index % 8 === 7) file = { name: `${stem}.pdf`, bytes: pdfOf(documentOf(numbers)) };
    else if (index % 16 === 12) file = { name: `${stem}.txt`, bytes: textOf(documentOf(numbers)) };
    else {
      const bytes = drawn.get(drawing) ?? pictureOf(random('picture', drawing), format);
      drawn.set(drawing, bytes);
      file = { name: `${stem}.${format === 'jpeg' ? 'jpg' : format}`, bytes: await bytes };
    }
    const { record, created } = await stores.media.create(await receiveMedia({ ...file, type: '' }), at.toISOString());
    if (record.width !== null) {
      // Every tenth image has no alt text yet, as in a real library.
      const alt = index % 10 === 9 ? '' : pictureAlt(numbers);
      if (created && alt !== '') await stores.media.update(record.id, { alt, decorative: false });
      pictures[index] = { ...record, alt };
    }
    if (created) await stores.activity.create([did('uploaded the file', record.originalName, at)]);
    return created ? 1 : 0;
  };
  const media = done('media', await inBatches(amounts.media, 16, eachOf(addFile)));
  const described = pictures.filter((picture) => picture.alt !== '');

  const addPost = async (index: number): Promise<number> => {
    const numbers = random('post', index);
    const { title, ...words } = postOf(numbers, index, described);
    const at = timeOf(index, amounts.posts, numbers);
    const draft = index % 6 === 4;
    const featuredImage = described.length > 0 && numbers.chance(0.7) ? numbers.pick(described).url : null;
    const post = {
      ...words,
      title,
      slug: slugOf(title),
      featuredImage,
      status: draft ? ('draft' as const) : ('published' as const),
      publishAt: null,
      keepOriginalDate: false,
    };
    const id = idOf(`seed:${seed}:post:${index}`, { title });
    const save = { by: who, at: at.toISOString() };
    if (!(await stores.posts.create(id, post, save))) {
      // Either an earlier run created this post, or a different post has the same slug.
      if (await stores.posts.get(id)) return 0;
      await stores.posts.create(id, { ...post, slug: await stores.posts.freeSlug(post.slug) }, save);
    }
    await stores.activity.create([did(draft ? 'created the post' : 'published the new post', title, at)]);
    return 1;
  };
  const posts = done('posts', await inBatches(amounts.posts, 64, eachOf(addPost)));

  /**
   * Generates the history of a submission: about 40% of the submissions in the inbox have been handled, and about 10%
   * of all submissions have a note.
   */
  const pastOf = ({ createdAt, status }: { createdAt: string; status: string }, numbers: Random) => ({
    mailedAt: createdAt,
    handledAt:
      status === 'inbox' && numbers.chance(0.4) ? addHours(createdAt, numbers.between(1, 40)).toISOString() : null,
    note: numbers.chance(0.1) ? numbers.pick(notes) : '',
  });

  const addInquiries = async (indexes: number[]): Promise<number> =>
    await stores.inquiries.createPast(
      indexes.map((index) => {
        const numbers = random('inquiry', index);
        const input = inquiryOf(numbers, index);
        const marks = { key: `seed:${seed}:inquiry:${index}`, fromForm: false };
        const made = newSubmission(input, input, marks, timeOf(index, amounts.inquiries, numbers));
        return { ...made, ...pastOf(made, numbers), input };
      }),
    );

  const addApplications = async (indexes: number[]): Promise<number> =>
    await stores.applications.createPast(
      await Promise.all(
        indexes.map(async (index) => {
          const numbers = random('application', index);
          const input = applicationOf(numbers, index);
          const bytes = pdfOf(resumeOf(input, numbers));
          // The hidden field for robots, which a browser's autofill may fill in.
          const website = numbers.chance(0.05) ? 'https://resume.example' : '';
          const marks = { key: `seed:${seed}:application:${index}`, fromForm: false, website };
          const words = { fullName: input.fullName, message: input.coverLetter };
          const made = newSubmission(input, words, marks, timeOf(index, amounts.applications, numbers));
          // Stores the resume first, as for a real application, so every application in the database has its resume.
          await stores.resumes.create(made.id, bytes);
          const resume = { name: `${input.fullName} resume.pdf`, kind: 'pdf' as const, size: bytes.byteLength };
          return { ...made, ...pastOf(made, numbers), input, resume };
        }),
      ),
    );

  // Runs in parallel, because inquiries mostly use the database and applications mostly use the disk.
  const [inquiries, applications] = await Promise.all([
    inBatches(amounts.inquiries, 1_000, addInquiries).then((added) => done('inquiries', added)),
    inBatches(amounts.applications, 100, addApplications).then((added) => done('applications', added)),
  ]);
  return { posts, media, inquiries, applications, sections };
}

/**
 * Adds items in batches.
 * @param add adds the items with the given indexes, and returns how many were added.
 * @returns the total number of added items.
 */
async function inBatches(count: number, size: number, add: (indexes: number[]) => Promise<number>): Promise<number> {
  let added = 0;
  for (let from = 0; from < count; from += size) {
    added += await add(Array.from({ length: Math.min(size, count - from) }, (_, index) => from + index));
  }
  return added;
}

/**
 * Calls `add` for a whole batch in one iteration of the event loop, so an embedded database stores the batch in one
 * commit.
 */
const eachOf =
  (add: (index: number) => Promise<number>) =>
  async (indexes: number[]): Promise<number> =>
    (await Promise.all(indexes.map(add))).reduce((sum, added) => sum + added, 0);
