import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type CheerioAPI, load } from 'cheerio';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import secrets from '../../support/made-up-secrets.json' with { type: 'json' };

/**
 * A copy of the project whose owner adds a service, a home section, an article, a team photo and their own details, and
 * builds it with secrets in the environment.
 */
let root: string;
const text = (path: string) => readFile(join(root, path), 'utf8');
const write = (path: string, content: string) => writeFile(join(root, path), content);
const built = async (path: string): Promise<CheerioAPI> => load(await text(`dist/${path}.html`));
const run = (...command: string[]) =>
  promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...secrets, DATA_DIR: join(root, '.data') },
  });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'changed-site-'));
  const left = /^(node_modules|\.git|\.cache|\.data|\.netlify|\.astro|dist(\.\w+)?|docs|tests|bench|release)$/;
  const project = process.cwd();
  await cp(project, root, { recursive: true, filter: (path) => !left.test(path.slice(project.length + 1)) });
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  // Without the admin area, a build takes half the time.
  await rm(join(root, 'src/pages/admin'), { recursive: true });
  await Promise.all([addService(), addSection(), addArticle(), addPhoto()]);
  await write('site.json', JSON.stringify({ name: 'Quill & Partners', phone: '(212) 555-0199' }));
  await run('host/build/build.ts');
  await run('netlify/bundle.ts');
}, 900_000);
afterAll(() => rm(root, { recursive: true, force: true }));

/** Adds a service, which needs only one JSON file and a drawing. */
async function addService(): Promise<void> {
  const support = JSON.parse(await text('content/services/support.json')) as Record<string, unknown>;
  delete support['shortTitle'];
  const own = { order: 1_000, phase: 'build', home: false, title: 'Payroll Setup', summary: 'Payroll in NetSuite.' };
  const description = 'Payroll in NetSuite, from the first run to the last filing.';
  await write('content/services/made-up-service.json', JSON.stringify({ ...support, ...own, description }));
  await write('content/services/made-up-service.svg', '<svg viewBox="0 0 400 120"><path d="M7 7h77"/></svg>');
}

/** Adds a section, which needs only one entry, one component, and its import and use on the page. */
async function addSection(): Promise<void> {
  const home = JSON.parse(await text('content/sections/home.json')) as object;
  const location = { label: 'Made up', where: 'Home, made up', href: '/#made-up', title: 'The heading' };
  const entry = { location, title: 'We finish what we start.' };
  await write('content/sections/home.json', JSON.stringify({ ...home, made_up: entry }));
  await write(
    'src/sections/MadeUp.astro',
    `---
import type { SectionText } from '../data/sections.ts';
type Props = { title: SectionText };
const { title } = Astro.props;
---
<section id="made-up"><h2 data-section={title.key}>{title.title}</h2></section>`,
  );
  const page = await text('src/pages/index.astro');
  const used = page.replace('  <Insights />\n', "  <MadeUp title={words('made_up')} />\n  <Insights />\n");
  await write('src/pages/index.astro', used.replace('---\n', "---\nimport MadeUp from '../sections/MadeUp.astro';\n"));
}

/** Adds an article, which needs only one file, a copy of the template in the docs, and a picture in it. */
async function addArticle(): Promise<void> {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#0b4f36' } });
  await picture.png().toFile(join(root, 'content/articles/ledger.png'));
  const template = await readFile('docs/article.mdx', 'utf8');
  const own = template
    .replace(/^title: .*/m, "title: 'Payroll guide: what to reconcile first'")
    .replace('draft: true\n', '');
  const minute = 'Payroll reconciles before the first run. '.repeat(30);
  await write('content/articles/made-up-guide.mdx', `${own}\n${minute}\n\n![Two columns that agree](./ledger.png)\n`);
}

/** Adds a team photo, which replaces the drawing on the home page. */
async function addPhoto(): Promise<void> {
  const photo = sharp({ create: { width: 2400, height: 1350, channels: 3, background: '#0b4f36' } });
  await mkdir(join(root, 'src/assets'), { recursive: true });
  await photo.jpeg().toFile(join(root, 'src/assets/team.jpg'));
}

describe('A service with one file and a drawing', () => {
  test('has a page with its drawing, its structured data and its preview picture', async () => {
    const $ = await built('services/made-up-service');
    expect($('h1').text()).toBe('Payroll Setup');
    expect($('main svg path[d="M7 7h77"]').length).toBeGreaterThan(0);
    expect($('script[type="application/ld+json"]').text()).toContain('"name":"Payroll Setup"');
    const picture = new URL($('meta[property="og:image"]').attr('content')!).pathname;
    expect((await readFile(join(root, 'dist', picture))).readUInt32BE(16)).toBe(1_200);
  });

  test('is in the footer, in the contact form, in the list of services, and in what crawlers and the search read', async () => {
    const link = 'a[href="/services/made-up-service"]';
    for (const page of ['index', '404']) expect((await built(page))(`footer ${link}`).text()).toBe('Payroll Setup');
    expect((await built('contact'))('option[value=made-up-service]').text()).toBe('Payroll Setup');
    expect((await built('services'))(`main h4 ${link}`)).toHaveLength(1);
    expect((await built('sitemap'))(`main ${link}`)).toHaveLength(1);
    for (const list of ['sitemap-0.xml', 'llms.txt', 'search.json']) {
      expect(await text(`dist/${list}`), list).toContain('/services/made-up-service');
    }
  });
});

test('A home section with one entry is on the home page, and is kept up to date by its key', async () => {
  expect((await built('index'))('#made-up [data-section=made_up]').text()).toBe('We finish what we start.');
});

test('An article with one file is on every list, and shows its picture in its size', async () => {
  const link = 'a[href="/resources/made-up-guide"]';
  for (const page of ['resources', 'index', 'sitemap']) expect((await built(page))(`main ${link}`).length).toBe(1);
  for (const list of ['sitemap-0.xml', 'llms.txt', 'search.json', 'articles.json']) {
    expect(await text(`dist/${list}`), list).toContain('/resources/made-up-guide');
  }
  const picture = (await built('resources/made-up-guide'))('main img[alt="Two columns that agree"]');
  expect(picture.attr()).toMatchObject({ width: '60', height: '40' });
  const address = new URL(picture.attr('src')!, 'https://site.example').searchParams.get('url') ?? picture.attr('src')!;
  expect((await readFile(join(root, 'dist', address))).readUInt32BE(16)).toBe(60);
});

test('An article with a mistake stops the build, and the error names its file', async () => {
  const mistake = (await text('content/articles/made-up-guide.mdx')) + '\nThe net is {gross - tax}.\n';
  await write('content/articles/mistake.mdx', mistake);
  await expect(run('host/build/build.ts')).rejects.toMatchObject({
    stderr: expect.stringContaining('content/articles/mistake.mdx: gross is not defined'),
  });
  await rm(join(root, 'content/articles/mistake.mdx'));
});

test('A team photo is shown in the specified widths and quality, with its alternative text', async () => {
  const photo = (await built('index'))('main img[alt="Our consultants"]');
  const sources = photo
    .attr('srcset')!
    .split(', ')
    .map((source) => source.split(' '));
  expect(sources.map(([, width]) => width)).toEqual(['400w', '800w', '1200w', '1600w']);
  for (const [address] of sources) expect(address).toMatch(/^\/\.netlify\/images\?.*\bq=85\b/);
  const original = new URL(photo.attr('src')!, 'https://site.example').searchParams.get('url')!;
  expect((await sharp(join(root, 'dist', original)).metadata()).width).toBe(2400);
});

test('The owner’s name and phone number are on every page, in place of the made-up ones', async () => {
  for (const page of ['index', 'contact', 'services/support', 'resources/project-recovery']) {
    const $ = await built(page);
    expect($('footer').text(), page).toContain('Quill & Partners');
    expect($('footer a[href^="tel:"]').text(), page).toBe('(212) 555-0199');
    expect($.html(), page).not.toContain('(310) 555-0142');
  }
});

// `npm test` also builds the whole site with these secrets.
test.for(['dist', '.netlify/bundled-functions', join(process.cwd(), 'dist')])(
  '%s contains no secret of the build',
  async (folder) => {
    const entries = await readdir(resolve(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const content = await readFile(file, 'latin1');
      expect(
        Object.values(secrets).some((secret) => content.includes(secret)),
        file,
      ).toBe(false);
    }
  },
);
