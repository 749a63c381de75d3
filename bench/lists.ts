import { randomUUID } from 'node:crypto';
import type { Context } from '@netlify/functions';
import blogPosts from '../netlify/functions/blog-posts.ts';
import activity from '../netlify/functions/activity.ts';
import applications from '../netlify/functions/contact-applications.ts';
import submissions from '../netlify/functions/contact-submissions.ts';
import health from '../netlify/functions/health.ts';
import media from '../netlify/functions/media.ts';
import { seedSite } from '../host/seed/seed.ts';
import type { Handler } from '../netlify/server/endpoint/endpoint.ts';
import { signedInAdmin } from '../tests/support/admins.ts';
import { testServices } from '../tests/support/services.ts';

/**
 * Measures the admin's lists on a large database: 100,000 inquiries, 10,000 posts and 10,000 files. Budgets for the
 * median time of the server: 20 ms for a page of a list, 100 ms for a search.
 *
 * Uses the generated data of `npm run seed`. `node bench/lists.ts` takes some minutes. `node bench/lists.ts 1000`
 * uses 1,000 inquiries, 100 posts and 100 files.
 */
const inquiries = Number(process.argv[2] ?? 100_000);
const others = Math.ceil(inquiries / 10);
const runs = 15;
const pageBudget = 20;
const searchBudget = 100;

// With a mail server, the health check also queries the outbox. This mail server does not exist, so no email is sent.
const site = await testServices({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@firm.example' });
const { services } = site;
const headers = await signedInAdmin(services);
// Only one row of each list contains this word. A search for the word must find this row among all others.
const rare = 'quixotic';

const began = performance.now();
await seedSite({ posts: others, media: others, inquiries, applications: others }, 7, services);
await addRare();
console.log(`Filled in ${((performance.now() - began) / 1000).toFixed(0)} s.`);

const lists: readonly [name: string, handler: Handler, path: string][] = [
  ['inquiries', submissions, '/api/contact/submissions'],
  ['applications', applications, '/api/contact/applications'],
  ['posts', blogPosts, '/api/cms/blog-posts'],
  ['posts, summary', blogPosts, '/api/cms/blog-posts?view=summary'],
  ['published posts', blogPosts, '/api/cms/blog-posts/published'],
  ['files', media, '/api/cms/media'],
  ['activity', activity, '/api/settings/activity'],
];
const rows = [];
// Lets Node compile the code before the measurement. A server runs for weeks, so compilation does not count.
for (const [, handler, path] of lists) await measure(handler, path);
for (const [name, handler, path] of lists) {
  const first = await measure(handler, path);
  rows.push({ what: name, ...first.figures, budget: pageBudget });
  if (first.nextCursor) {
    const second = await measure(handler, `${path}${path.includes('?') ? '&' : '?'}cursor=${first.nextCursor}`);
    rows.push({ what: `${name}, next page`, ...second.figures, budget: pageBudget });
  }
}
for (const [name, handler, path] of lists.slice(0, -1)) {
  if (path.includes('published') || path.includes('?')) continue;
  for (const [kind, q] of [
    ['one of all', rare],
    ['a common word', 'ledger'],
    ['a beginning', 'in'],
    ['two words', 'general ledger'],
  ] as const) {
    const found = await measure(handler, `${path}?q=${encodeURIComponent(q)}`);
    // A search without results is fast, so it would not measure a real search.
    if (found.figures.rows === 0) throw new Error(`${name}: the search for '${q}' found nothing.`);
    rows.push({ what: `${name}: ${kind}`, ...found.figures, budget: searchBudget });
  }
}
rows.push({ what: 'health', ...(await measure(health, '/api/health')).figures, budget: pageBudget });

console.table(rows.map((row) => ({ ...row, ok: row['median, ms'] <= row.budget ? 'yes' : 'NO' })));
await site.close();
process.exitCode = rows.some((row) => row['median, ms'] > row.budget) ? 1 : 0;

async function addRare(): Promise<void> {
  const { stores } = services;
  const at = '2020-01-01T00:00:00.000Z';
  const post = { title: rare, slug: rare, content: `<p>${rare}</p>`, excerpt: null, featuredImage: null };
  await stores.posts.create(
    rare,
    { ...post, status: 'published', publishAt: null, keepOriginalDate: false },
    { by: '', at },
  );
  const file = { originalName: `${rare}.txt`, fileName: `${rare}.txt`, mimeType: 'text/plain' };
  await stores.media.create({ ...file, bytes: new Uint8Array(1), width: null, height: null }, at);
  const input = {
    fullName: rare,
    email: `${rare}@firm.example`,
    company: rare,
    message: `A ${rare} question`,
  } as const;
  const submission = { id: randomUUID(), status: 'inbox', suspicions: [], createdAt: at } as const;
  const past = { mailedAt: at, handledAt: null, note: '' };
  await stores.inquiries.createPast([{ ...submission, ...past, input: { ...input, serviceInterest: 'other' } }]);
  const { fullName, email, message: coverLetter } = input;
  const resume = { name: `${rare}.pdf`, kind: 'pdf', size: 1 } as const;
  const applied = { fullName, email, coverLetter, phone: '', position: '', experience: '' } as const;
  await stores.applications.createPast([{ ...submission, ...past, id: randomUUID(), input: applied, resume }]);
}

async function measure(handler: Handler, path: string) {
  const times: number[] = [];
  let answer = '';
  for (let run = 0; run < runs; run += 1) {
    const request = new Request(new URL(path, 'http://site.test'), { headers });
    const context = { ip: '192.0.2.1', requestId: 'bench', waitUntil: () => undefined } as unknown as Context;
    const start = performance.now();
    const response = await handler(request, context, services);
    answer = await response.text();
    times.push(performance.now() - start);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.slice(0, 200)}`);
  }
  times.sort((one, other) => one - other);
  const body = JSON.parse(answer) as { data?: unknown[]; nextCursor?: string | null };
  return {
    nextCursor: body.nextCursor ?? null,
    figures: {
      rows: body.data?.length ?? 0,
      KB: Math.round(answer.length / 1024),
      'median, ms': Number((times[Math.floor(runs / 2)] ?? 0).toFixed(1)),
      'slowest, ms': Number((times.at(-1) ?? 0).toFixed(1)),
    },
  };
}
