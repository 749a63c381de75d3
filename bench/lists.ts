import { randomUUID } from 'node:crypto';
import type { Context } from '@netlify/functions';
import blogPosts from '../netlify/functions/blog-posts.ts';
import activity from '../netlify/functions/activity.ts';
import applications from '../netlify/functions/contact-applications.ts';
import submissions from '../netlify/functions/contact-submissions.ts';
import health from '../netlify/functions/health.ts';
import media from '../netlify/functions/media.ts';
import { type Statement, sql } from '../netlify/server/db/database.ts';
import type { Handler } from '../netlify/server/http/endpoint.ts';
import { signedInAdmin } from '../tests/support/admins.ts';
import { testServices } from '../tests/support/services.ts';

/**
 * The lists of the admin over a database of years: 100,000 inquiries, 10,000 posts, 10,000 files. Budgets at the server, as
 * medians: a page 20 ms, a search 100 ms.
 *
 * `npm run bench lists` takes a minute; `npm run bench lists -- 1000` takes so many inquiries, and a tenth of the others.
 */
const inquiries = Number(process.argv[3] ?? 100_000);
const others = Math.ceil(inquiries / 10);
const runs = 15;
const pageBudget = 20;
const searchBudget = 100;

const vocabulary =
  'ledger invoice subledger migration cutover consolidation revenue inventory warehouse tax audit close forecast budget vendor customer order fulfillment integration shopify celigo boomi script report dashboard approval workflow training rescue timeline scope'.split(
    ' ',
  );
let seed = 7;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const words = (count: number) => Array.from({ length: count }, () => vocabulary[random(vocabulary.length)]).join(' ');
const at = (index: number) => new Date(Date.parse('2020-01-01T00:00:00Z') + index * 60_000).toISOString();

// Nothing is sent: with a mail server set up, health looks into the outbox too.
const site = await testServices({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@firm.example' });
const { services } = site;
const headers = await signedInAdmin(services);
// One inquiry and one file that a search must find among all the others.
const rare = 'quixotic';

const began = performance.now();
await fill(inquiries, (index) => {
  const message = `${words(40)}${index === 5 ? ` ${rare}` : ''}`;
  return [
    sql(
      `INSERT INTO inquiries (id, full_name, email, company, service_interest, message, status, suspicions, created_at)
       VALUES (?, ?, ?, ?, 'implementation', ?, ?, '[]', ?)`,
      randomUUID(),
      `Person ${words(1)} ${index}`,
      `person${index}@firm.example`,
      `${words(2)} Inc.`,
      message,
      index % 20 === 0 ? 'quarantine' : 'inbox',
      at(index),
    ),
  ];
});
await fill(others, (index) => [
  sql(
    `INSERT INTO applications (id, full_name, email, phone, position, experience, cover_letter, resume_name, resume_kind,
       resume_size, status, suspicions, created_at)
     VALUES (?, ?, ?, '', 'NetSuite Developer', '2-3', ?, 'cv.pdf', 'pdf', 1000, 'inbox', '[]', ?)`,
    randomUUID(),
    `Applicant ${index}`,
    `applicant${index}@mail.example`,
    words(60),
    at(index),
  ),
]);
await fill(others, (index) => {
  const text = `${words(500)}${index === 5 ? ` ${rare}` : ''}`;
  return [
    sql(
      `INSERT INTO posts (id, title, slug, content, body_text, excerpt, featured_image, status, published_at,
         first_published_at, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', ?7, ?8, ?8, ?9, ?9)`,
      randomUUID(),
      `${words(6)} ${index}`,
      `post-${index}`,
      `<p>${text}</p>`,
      text,
      words(20),
      index % 10 === 0 ? 'draft' : 'published',
      index % 10 === 0 ? null : at(index),
      at(index),
    ),
  ];
});
await fill(others, (index) => [
  sql(
    `INSERT INTO media (id, original_name, file_name, mime_type, size, width, height, alt, sha256, uploaded_at)
     VALUES (?, ?, ?, 'image/png', 120000, 1200, 800, ?, ?, ?)`,
    randomUUID(),
    `${words(2)}-${index === 5 ? rare : index}.png`,
    `file-${index}.png`,
    words(8),
    randomUUID(),
    at(index),
  ),
]);
await fill(others, (index) => [
  sql(
    `INSERT INTO activity (at, who, action, subject) VALUES (?, 'owner@firm.example', 'changed', ?)`,
    at(index),
    words(2),
  ),
]);
await services.database.write(sql(`UPDATE outbox SET status = 'sent', sent_at = due_at`));
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
// The first calls of a process are spent on compiling; a server runs for weeks.
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
    ['two words', 'audit ledger'],
  ] as const) {
    const found = await measure(handler, `${path}?q=${encodeURIComponent(q)}`);
    rows.push({ what: `${name}: ${kind}`, ...found.figures, budget: searchBudget });
  }
}
rows.push({ what: 'health', ...(await measure(health, '/api/health')).figures, budget: pageBudget });

console.table(rows.map((row) => ({ ...row, ok: row['median, ms'] <= row.budget ? 'yes' : 'NO' })));
await site.close();
process.exitCode = rows.some((row) => row['median, ms'] > row.budget) ? 1 : 0;

/** Rows in transactions of 500. */
async function fill(count: number, statementsOf: (index: number) => Statement[]): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const indexes = Array.from({ length: Math.min(500, count - from) }, (_, index) => from + index);
    await services.database.write(...indexes.flatMap(statementsOf));
  }
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
