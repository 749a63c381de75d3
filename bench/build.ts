import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Measures how long a build of the site takes with 1,000 more articles, compared with Astro alone with the same files.
 * The goal is at most 2.5 times the time. Builds copies in a temporary folder, so the project stays unchanged.
 * `node bench/build.ts 200` adds only 200 articles.
 */
const size = Number(process.argv[2] ?? 1_000);
const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'build-'));
const site = join(folder, 'site');
const bare = join(folder, 'bare');

const left = /^(node_modules|\.git|\.cache|dist(\.\w+)?|\.data|\.netlify|\.astro|test-results)$/;
const template = await readFile(join(root, 'content/articles/netsuite-roi-guide.mdx'), 'utf8');
/** The text of the template without its components. */
const plain = template.replace(/^<\/?[A-Z][^>]*>\n/gm, '');

try {
  await cp(root, site, { recursive: true, filter: (path) => !left.test(path.slice(root.length + 1)) });
  await cp(join(root, 'node_modules'), join(site, 'node_modules'), {
    recursive: true,
    mode: 2,
    verbatimSymlinks: true,
  });
  const own = await build(site);
  for (let number = 1; number <= size; number += 1) await writeFile(articleFile(site, number), article(number));
  const more = await build(site);
  await makeBareSite();
  const astro = await build(bare);
  const rows = [
    { build: 'the site', seconds: own },
    { build: `bare Astro, ${size} articles`, seconds: astro },
    { build: `the site with ${size} more articles`, seconds: more },
  ];
  console.table(rows);
  console.log(`${(more / astro).toFixed(2)} times the time of bare Astro.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function articleFile(project: string, number: number): string {
  return join(project, 'content/articles', `article-${number}.mdx`);
}

/** Returns the text of an article with its own title. Only articles with an odd number contain components. */
function article(number: number): string {
  return (number % 2 === 0 ? plain : template)
    .replace(/^(title|description): '/gm, `$1: '${number}: `)
    .replace(/^(previous|next|card|listed): .*\n/gm, '')
    .replace(/^related:\n(?: {2}- .*\n)+/m, '');
}

/**
 * Makes a site for comparison. It renders the same files with only Astro and its MDX integration, and replaces each
 * component with a plain HTML element.
 */
async function makeBareSite(): Promise<void> {
  await rm(bare, { recursive: true, force: true });
  await mkdir(join(bare, 'src/pages'), { recursive: true });
  await mkdir(join(bare, 'content/articles'), { recursive: true });
  await symlink(join(site, 'node_modules'), join(bare, 'node_modules'));
  for (let number = 1; number <= size; number += 1) await writeFile(articleFile(bare, number), article(number));
  const used = [...new Set([...template.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name))];
  const files = {
    'package.json': '{ "type": "module" }',
    'astro.config.mjs': `import mdx from '@astrojs/mdx';
      export default { integrations: [mdx()], markdown: { syntaxHighlight: 'prism' } };`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content';
      import { glob } from 'astro/loaders';
      export const collections = { articles: defineCollection({ loader: glob({ base: 'content/articles', pattern: '*.mdx' }) }) };`,
    'src/Plain.astro': '<div><slot /></div>',
    'src/pages/[slug].astro': `---
      import { getCollection, render } from 'astro:content';
      import Plain from '../Plain.astro';
      export const getStaticPaths = async () =>
        (await getCollection('articles')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }));
      const { Content } = await render(Astro.props.entry);
      ---
      <html lang="en"><title>{Astro.props.entry.data.title}</title><Content components={{ ${used.map((name) => `${name}: Plain`).join(', ')} }} /></html>`.replace(
      /^ {6}/gm,
      '',
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(bare, name), text);
}

/** Builds a project. @returns the seconds that the build took. */
async function build(project: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The build in ${project} failed.`);
  return Number(((performance.now() - began) / 1000).toFixed(1));
}
