import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How long a build takes: the site as it is, with 1,000 articles more, and with one of those changed, beside bare Astro with
 * the same 1,000 files. `npm run bench build -- 200` takes another number. Works on copies.
 */
const more = Number(process.argv[3] ?? 1_000);
const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'build-'));
const site = join(folder, 'site');
const bare = join(folder, 'bare');

const left = /^(node_modules|\.git|dist|\.data|\.netlify|\.astro|test-results)$/;
const template = await readFile(join(root, 'content/articles/netsuite-roi-guide.mdx'), 'utf8');

try {
  await cp(root, site, { recursive: true, filter: (path) => !left.test(path.slice(root.length + 1)) });
  await cp(join(root, 'node_modules'), join(site, 'node_modules'), {
    recursive: true,
    mode: 2,
    verbatimSymlinks: true,
  });
  const rows = [];
  rows.push({ build: 'the site, first time', ...(await build(site)) });
  rows.push({ build: 'the site, again', ...(await build(site)) });
  for (let number = 1; number <= more; number += 1) await writeFile(articleFile(site, number), article(number));
  rows.push({ build: `and ${more} articles more`, ...(await build(site)) });
  await writeFile(articleFile(site, 1), `${article(1)}\nOne sentence more.\n`);
  rows.push({ build: 'one of them changed', ...(await build(site)) });
  await makeBareSite();
  rows.push({ build: `bare Astro, ${more} articles`, ...(await build(bare)) });
  console.table(rows);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function articleFile(project: string, number: number): string {
  return join(project, 'content/articles', `article-${number}.mdx`);
}

/** A full article under a name of its own. */
function article(number: number): string {
  return template
    .replace(/^(title|description): '/gm, `$1: '${number}: `)
    .replace(/^(previous|next|card|listed): .*\n/gm, '')
    .replace(/^related:\n(?: {2}- .*\n)+/m, '');
}

/** The same files through Astro and its MDX integration, with plain elements for our components. */
async function makeBareSite(): Promise<void> {
  await mkdir(join(bare, 'src/pages'), { recursive: true });
  await mkdir(join(bare, 'content/articles'), { recursive: true });
  await symlink(join(site, 'node_modules'), join(bare, 'node_modules'));
  for (let number = 1; number <= more; number += 1) await writeFile(articleFile(bare, number), article(number));
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

/** Builds a project. @returns seconds, and the most memory that the process held. */
async function build(project: string): Promise<{ seconds: string; 'peak, MB': number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(project, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peak);
    } catch {
      // It has just ended.
    }
  }, 100);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`The build in ${project} failed.`);
  return { seconds: ((performance.now() - began) / 1000).toFixed(1), 'peak, MB': Math.round(peak / 1024) };
}
