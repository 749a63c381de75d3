import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandEnvironment } from '../support/command.ts';

/**
 * Each test changes the site and builds it with the caches of earlier builds. Most tests then build the site again
 * without these caches, and expect the same result.
 */
vi.setConfig({ testTimeout: 300_000 });

const run = promisify(execFile);
let root: string;
const at = (path: string) => join(root, path);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kept-'));
  const left = /^(node_modules|\.git|\.cache|\.data|\.netlify|\.astro|dist(\.\w+)?|docs|tests|bench)$/;
  const project = process.cwd();
  await cp(project, root, { recursive: true, filter: (path) => !left.test(path.slice(project.length + 1)) });
  await mkdir(at('.cache'));
  for (const shared of ['node_modules', '.cache/social']) await symlink(join(project, shared), at(shared));
  await build();
}, 300_000);
afterAll(() => rm(root, { recursive: true, force: true }));

let clock = 0;

async function build(): Promise<void> {
  await writeFile(at('offset'), String(clock));
  await run(process.execPath, ['host/build.ts', '--uncompressed'], {
    cwd: root,
    // Omits Vitest's environment variables, because they would make Astro build the site for development.
    env: commandEnvironment({
      DATA_DIR: at('.data'),
      CLOCK_OFFSET_FILE: at('offset'),
      NODE_OPTIONS: `--import ${pathToFileURL(join(process.cwd(), 'tests/support/shifted-clock.ts')).href}`,
    }),
  });
}

/** Returns every file of the site and the header rules. Removes the build time, which always differs. */
async function site(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(at('dist'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path, 'latin1');
    files.set(path, bytes.replace(/<meta name="built" content="[^"]*">/, ''));
  }
  files.set('headers', await readFile(at('.netlify/v1/config.json'), 'utf8'));
  return files;
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(at(path), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(at(path), changed);
}

const bundledAt = async () => (await stat(at('.cache/bundle/bundle.json'))).mtimeMs;

/** Builds the site after a change. @returns the paths that the change affected. */
async function changesOfSite(): Promise<string[]> {
  const before = await site();
  await build();
  return [...(await site())]
    .filter(([path, bytes]) => before.get(path) !== bytes)
    .map(([path]) => path.replace(at('dist'), ''));
}

/**
 * Builds the site once more, without the cached pages, and expects the same result.
 * @param kept the cache that this build may use: `bundle` is the bundled code, which takes long to bundle again.
 */
async function expectSameAsClean(kept: 'bundle' | 'nothing'): Promise<void> {
  const after = await site();
  await rm(at('.cache/pages'), { recursive: true });
  if (kept === 'nothing') await rm(at('.cache/bundle'), { recursive: true });
  await build();
  const clean = await site();
  expect([...after.keys()].toSorted()).toEqual([...clean.keys()].toSorted());
  expect([...clean].filter(([path, bytes]) => after.get(path) !== bytes).map(([path]) => path)).toEqual([]);
}

const nextYear = new Date().getUTCFullYear() + 1;
const guide = 'content/articles/suitescript-guide.mdx';

test('A changed word in an article changes its page and its Markdown, with the same bundle', async () => {
  const bundled = await bundledAt();
  await edit('content/articles/project-recovery.mdx', (text) => `${text}\nOne more word: payroll.\n`);
  const changed = await changesOfSite();
  expect(changed).toEqual(
    expect.arrayContaining(['/resources/project-recovery.html', '/resources/project-recovery.md']),
  );
  expect(changed).not.toContain('/resources/suitescript-guide.html');
  expect(await bundledAt()).toBe(bundled);
});

test('A title changes the pages of the articles that link to it, and a new article changes all lists', async () => {
  const article = await readFile(at(guide), 'utf8');
  const single = article.replace(/^(previous|next|card|listed): .*\n/gm, '').replace(/^title: '/m, "title: '2: ");
  await writeFile(at('content/articles/second.mdx'), single.replace(/^description: '/m, "description: '2: "));
  await edit(guide, (text) => text.replace(/^title: '/m, "title: 'New: "));
  expect(await changesOfSite()).toEqual(
    expect.arrayContaining(['/resources/netsuite-roi-guide.html', '/resources/second.html', '/llms.txt']),
  );
  await expectSameAsClean('bundle');
});

test('A removed article and an article that is not published yet are on no page', async () => {
  await rm(at('content/articles/second.mdx'));
  await edit(guide, (text) => text.replace(/^publishedAt: .*$/m, `publishedAt: '${nextYear}-01-01'`));
  await build();
  await expectSameAsClean('bundle');
  await expect(stat(at('dist/resources/second.html'))).rejects.toThrow('ENOENT');
  await expect(stat(at('dist/resources/suitescript-guide.html'))).rejects.toThrow('ENOENT');
});

test('An article appears on its publication date, and every page has the new year', async () => {
  clock = Date.parse(`${nextYear}-01-02T20:00:00Z`) - Date.now();
  const changed = await changesOfSite();
  await expectSameAsClean('bundle');
  expect(changed).toEqual(
    expect.arrayContaining(['/resources/suitescript-guide.html', '/resources/project-recovery.html', '/index.html']),
  );
  expect(await readFile(at('dist/resources/project-recovery.html'), 'utf8')).toContain(`>${nextYear}</span>`);
});

test('A change of a component, a style, the configuration or a package has the same result as a clean build', async () => {
  const bundled = await bundledAt();
  await edit('src/components/prose/Callout.astro', (text) => text.replace('<slot />', '<slot /><hr />'));
  await edit('src/styles/prose.css', (text) => `${text}\n.prose hr { border: 0 }\n`);
  await edit('package-lock.json', (text) => text.replace(/"version": "0\.1\.0"/, '"version": "0.1.1"'));
  await writeFile(at('site.json'), JSON.stringify({ tagline: 'Another tagline' }));
  const changed = await changesOfSite();
  await expectSameAsClean('nothing');
  expect(changed).toContain('/resources/project-recovery.html');
  expect(await bundledAt()).toBeGreaterThan(bundled);
});
