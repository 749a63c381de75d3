import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CheerioAPI, load } from 'cheerio';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readServices } from '../../src/data/service-files.ts';
import { inWords } from '../../src/domain/number-words.ts';

const run = promisify(execFile);

/** A built copy of the project with an additional service, home section and article. */
let root: string;
const text = (path: string) => readFile(join(root, path), 'utf8');
const built = async (path: string): Promise<CheerioAPI> => load(await text(`dist/${path}.html`));

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'new-content-'));
  const left = /^(node_modules|\.git|\.cache|\.data|\.netlify|\.astro|dist(\.\w+)?|docs|tests|bench)$/;
  const project = process.cwd();
  await cp(project, root, { recursive: true, filter: (path) => !left.test(path.slice(project.length + 1)) });
  await mkdir(join(root, '.cache'));
  for (const shared of ['node_modules', '.cache/social']) await symlink(join(project, shared), join(root, shared));
  await addService();
  await addSection();
  await addArticle();
  await run(process.execPath, ['host/build.ts', '--uncompressed'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: join(root, '.data') },
  });
}, 240_000);
afterAll(() => rm(root, { recursive: true, force: true }));

/** Adds a service, which needs only one JSON file and a drawing. */
async function addService() {
  const { shortTitle: _, ...support } = JSON.parse(await text('content/services/support.json')) as Record<
    string,
    unknown
  >;
  const service = {
    ...support,
    order: 1_000,
    phase: 'build',
    home: false,
    title: 'Payroll Setup',
    description: 'Payroll in NetSuite, from the first run to the last filing.',
    summary: 'Payroll in NetSuite, set up and reconciled.',
  };
  await writeFile(join(root, 'content/services/made-up-service.json'), JSON.stringify(service));
  await writeFile(
    join(root, 'content/services/made-up-service.svg'),
    '<svg viewBox="0 0 400 120"><path d="M7 7h77"/></svg>',
  );
}

/** Adds a section, which needs only one entry, one component, and its import and use on the page. */
async function addSection() {
  const home = JSON.parse(await text('content/sections/home.json')) as object;
  const location = { label: 'Made up', where: 'Home, made up', href: '/#made-up', title: 'The heading' };
  const entry = { location, title: 'We finish what we start.' };
  await writeFile(join(root, 'content/sections/home.json'), JSON.stringify({ ...home, made_up: entry }));
  await writeFile(
    join(root, 'src/sections/MadeUp.astro'),
    `---
import type { SectionText } from '../data/sections.ts';
type Props = { title: SectionText };
const { title } = Astro.props;
---
<section id="made-up"><h2 data-section={title.key}>{title.title}</h2></section>`,
  );
  const page = await text('src/pages/index.astro');
  await writeFile(
    join(root, 'src/pages/index.astro'),
    page
      .replace('---\n', "---\nimport MadeUp from '../sections/MadeUp.astro';\n")
      .replace('  <Insights />\n', "  <MadeUp title={words('made_up')} />\n  <Insights />\n"),
  );
}

/** Adds an article, which needs only one file and an image. */
async function addArticle() {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#0b4f36' } });
  await picture.png().toFile(join(root, 'content/articles/ledger.png'));
  const article = await text('content/articles/netsuite-roi-guide.mdx');
  await writeFile(
    join(root, 'content/articles/made-up-guide.mdx'),
    article
      .replace(/^title: .*/m, "title: 'Payroll guide: what to reconcile first'")
      .replace(
        /^description: .*/m,
        "description: 'How to reconcile payroll in NetSuite before the first run of the year.'",
      )
      .replace(/^publishedAt: .*/m, "publishedAt: '2025-12-01'")
      .replace(/^(previous|next|card|listed|dateText): .*\n/gm, '')
      .concat('\n![Two columns that agree](./ledger.png)\n'),
  );
}

describe('A service with one file and a drawing', () => {
  const path = '/services/made-up-service';

  test('has a page with its drawing, its structured data and its preview picture', async () => {
    const $ = await built('services/made-up-service');
    expect($('h1').text()).toBe('Payroll Setup');
    expect($('.service-drawing path[d="M7 7h77"]')).toHaveLength(2);
    expect($('script[type="application/ld+json"]').text()).toContain('"name":"Payroll Setup"');
    expect($('meta[property="og:image"]').attr('content')).toMatch(/\/social\/services\/made-up-service\.png$/);
    expect((await readFile(join(root, 'dist/social/services/made-up-service.png'))).readUInt32BE(16)).toBe(1_200);
  });

  test('is in the footer of every page, in the contact form, and in the list of services under its phase', async () => {
    for (const page of ['index', 'contact', '404', 'services/support']) {
      const $ = await built(page);
      expect($(`footer a[href="${path}"]`).text(), page).toBe('Payroll Setup');
    }
    const contact = await built('contact');
    expect(contact('option[value=made-up-service]').text()).toBe('Payroll Setup');
    const offered = readServices(root).ids.length;
    const $ = await built('services');
    expect($(`.chooser a[href="${path}"]`)).toHaveLength(1);
    const phase = $(`.range article a[href="${path}"]`).closest('.range-part');
    expect(phase.find('h3').text()).toBe('While you build and connect NetSuite');
    expect($('meta[name=description]').attr('content')).toContain(`Our ${inWords(offered)} NetSuite services`);
  });

  test('can be found by crawlers, AI assistants and the site’s search', async () => {
    expect(await text('dist/sitemap-0.xml')).toContain(`${path}</loc>`);
    expect((await built('sitemap'))(`main a[href="${path}"]`).text().trim()).toBe('Payroll Setup');
    expect(await text('dist/llms.txt')).toContain(`${path}.md): Payroll in NetSuite, from the first run`);
    expect(await text('dist/services/made-up-service.md')).toContain('# Payroll Setup');
    expect(await text('dist/search.json')).toContain(`"href":"${path}"`);
  });
});

test('A home section with one entry is on the home page, and is kept up to date by its key', async () => {
  const $ = await built('index');
  expect($('#made-up [data-section=made_up]').text()).toBe('We finish what we start.');
});

test('An article shows a picture in its size, with its alternative text', async () => {
  const picture = (await built('resources/made-up-guide'))('.prose img');
  expect(picture.attr()).toMatchObject({ alt: 'Two columns that agree', width: '60', height: '40' });
  const address = new URL(picture.attr('src')!, 'https://site.example').searchParams.get('url') ?? picture.attr('src')!;
  const file = await readFile(join(root, 'dist', address));
  expect(file.readUInt32BE(16)).toBe(60);
});

test('An article with one file is on every list', async () => {
  const path = '/resources/made-up-guide';
  expect((await built('resources/made-up-guide'))('h1').text()).toContain('Payroll guide');
  expect((await built('resources'))(`main a[href="${path}"]`).length).toBeGreaterThan(0);
  expect((await built('index'))(`#resources a[href="${path}"]`).length).toBe(1);
  expect((await built('sitemap'))(`main a[href="${path}"]`).length).toBe(1);
  for (const list of ['sitemap-0.xml', 'llms.txt', 'search.json', 'articles.json']) {
    expect(await text(`dist/${list}`), list).toContain(path);
  }
  expect((await readFile(join(root, `dist/social${path}.png`))).readUInt32BE(16)).toBe(1_200);
});
