// `npm run check:content`: what an editor can get wrong in `content/`, each finding with its file, its line and what to do.
// It reads the sources, so that it needs no build; the tests over the built site hold every link and anchor a second time.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lint } from 'cspell';
import { articleFrontmatter, readingTimeFault } from '../src/domain/article.ts';
import { readSources, type Source } from './content-sources.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  /** What is wrong, and how to mend it. */
  readonly text: string;
}

/** Everything that is wrong with the content of the project at `root`, by file and line. */
export async function checkContent(root: string): Promise<Finding[]> {
  const articles = readSources(root, 'content/articles');
  const all = [...articles, ...readSources(root, 'content/legal')];
  const places = readPlaces(root, articles, all);
  const found = [
    ...articles.flatMap(frontmatterFindings),
    ...articles.flatMap(readingTimeFindings),
    ...all.flatMap(pictureFindings),
    ...all.flatMap((source) => linkFindings(source, places)),
    ...duplicateFindings(root, all),
    ...(await spellingFindings(root)),
  ];
  return found.toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
}

function frontmatterFindings({ file, frontmatter, lineOf }: Source): Finding[] {
  const { error } = articleFrontmatter.safeParse(frontmatter);
  return (error?.issues ?? []).map(({ path, message }) => ({
    file,
    line: lineOf(path),
    text: `${path.join('.') || 'frontmatter'}: ${message}`,
  }));
}

/** A draft may grow in peace: its reading time is checked once it is published. */
function readingTimeFindings({ file, frontmatter, body, lineOf }: Source): Finding[] {
  const { success, data } = articleFrontmatter.safeParse(frontmatter);
  const fault = success && !data.draft ? readingTimeFault(data.minutes, body) : null;
  return fault ? [{ file, line: lineOf(['minutes']), text: `The article ${fault}` }] : [];
}

/** The body with its code blanked out, so that places in it stay what they are. */
function prose(body: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ');
  return body.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
}

function pictureFindings({ file, body, lineIn }: Source): Finding[] {
  const pictures = prose(body).matchAll(/!\[\s*\]\([^)]*\)|<(?:img|Image)\b(?![^>]*\balt=)[^>]*>/g);
  return [...pictures].map(({ 0: picture, index }) => ({
    file,
    line: lineIn(index),
    text: `The picture ${picture} has no alternative text. Say in it what the picture tells.`,
  }));
}

/** What the site's own links may lead to. */
interface Places {
  /** By path, the anchors of the page where they are known from its source. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** Anchors that stand in templates. */
  readonly anchors: ReadonlySet<string>;
}

function linkFindings(source: Source, { pages, anchors }: Places): Finding[] {
  const inText = [...prose(source.body).matchAll(/\]\((?<href>[/#][^)\s]*)/g)].map(({ groups, index }) => ({
    href: groups?.['href'] ?? '',
    line: source.lineIn(index),
  }));
  const { data } = articleFrontmatter.safeParse(source.frontmatter);
  const inCalls = (data?.callToAction.actions ?? []).map(({ href }, index) => ({
    href,
    line: source.lineOf(['callToAction', 'actions', index, 'href']),
  }));
  const neighbors = (['previous', 'next'] as const).flatMap((field) => ({ name: data?.[field], at: [field] }));
  const related = (data?.related ?? []).map((name, index) => ({ name, at: ['related', index] }));
  const named = [...neighbors, ...related].flatMap(({ name, at }) =>
    name === undefined ? [] : [{ href: `/resources/${name}`, line: source.lineOf(at) }],
  );
  return [...inText, ...inCalls, ...named].flatMap(({ href, line }) => {
    if (!/^[/#]/.test(href)) return [];
    const [path = '', anchor] = href.split('#');
    const at = path === '' ? `/resources/${source.name}` : path;
    const known = pages.get(at);
    if (known === undefined && !at.startsWith('/blog/')) {
      return [
        { file: source.file, line, text: `The link ${href} leads to no page. ${nearest(at, [...pages.keys()])}` },
      ];
    }
    if (anchor === undefined || known?.has(anchor) || (!known && anchors.has(anchor))) return [];
    const choices = known ? nearest(anchor, [...known]) : 'Look at the page for the name of its section.';
    return [{ file: source.file, line, text: `The link ${href} leads to no section of ${at}. ${choices}` }];
  });
}

function readPlaces(root: string, articles: readonly Source[], all: readonly Source[]): Places {
  const pages = new Map<string, ReadonlySet<string> | null>();
  const folder = join(root, 'src/pages');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const page = /^(?!.*(?:\[|_parts))(.*?)(?:\/?index)?\.astro$/.exec(file);
    if (page) pages.set(`/${page[1]}`, null);
  }
  for (const file of readdirSync(join(root, 'content/services'))) {
    pages.set(`/services/${file.replace(/\.json$/, '')}`, null);
  }
  for (const { name, body, frontmatter } of articles) {
    const isDraft = (frontmatter as { draft?: unknown }).draft === true;
    if (!isDraft) pages.set(`/resources/${name}`, new Set(headingsOf(body)));
  }
  const idsOf = (text: string): string[] => [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id ?? '');
  const anchors = new Set(all.flatMap(({ body }) => [...idsOf(body), ...headingsOf(body)]));
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(astro|tsx)$/.test(file)) continue;
    for (const id of idsOf(readFileSync(join(root, 'src', file), 'utf8'))) anchors.add(id);
  }
  for (const path of pages.keys()) if (path.startsWith('/services/')) anchors.add(path.slice(1).replace('/', '-'));
  return { pages, anchors };
}

/** The ids that the headings of a text get. */
function headingsOf(body: string): string[] {
  return [...body.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function nearest(wanted: string, known: readonly string[]): string {
  const parts = wanted.split(/[/-]/).filter((part) => part.length > 2);
  const like = known.filter((name) => parts.some((part) => name.includes(part))).slice(0, 3);
  return like.length > 0 ? `Did you mean ${like.join(', ')}?` : 'Correct the address, or remove the link.';
}

function duplicateFindings(root: string, sources: readonly Source[]): Finding[] {
  const seen = new Map<string, string>();
  const fields = sources.map(({ file, frontmatter, lineOf }) => ({
    file,
    frontmatter: frontmatter as Record<string, unknown>,
    lineOf,
  }));
  for (const name of readdirSync(join(root, 'content/services'))) {
    const file = `content/services/${name}`;
    const text = readFileSync(join(root, file), 'utf8');
    const lineOf = ([field]: readonly PropertyKey[]): number =>
      text.slice(0, text.indexOf(`"${String(field)}":`)).split('\n').length;
    fields.push({ file, frontmatter: JSON.parse(text) as Record<string, unknown>, lineOf });
  }
  return fields.flatMap(({ file, frontmatter, lineOf }) =>
    ['title', 'description'].flatMap((field) => {
      const value = frontmatter[field];
      const key = `${field}: ${String(value).trim().toLowerCase()}`;
      const other = seen.get(key);
      seen.set(key, file);
      if (value === undefined || other === undefined) return [];
      const text = `${field}: the same as in ${other}. Say what sets this page apart; search engines show only one of two alike.`;
      return [{ file, line: lineOf([field]), text }];
    }),
  );
}

async function spellingFindings(root: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const quiet = (): void => undefined;
  const failed = (message: string, error?: unknown): never => {
    throw new Error(message, { cause: error });
  };
  const options = { root, config: join(root, 'cspell.json'), progress: false, showSuggestions: true };
  await lint([], options, {
    issue: ({ uri = '', row, text, suggestions = [] }) => {
      const file = decodeURIComponent(new URL(uri).pathname).slice(root.length + 1);
      const instead = suggestions.length > 0 ? `Write ${suggestions.slice(0, 2).join(' or ')}, or add` : 'Add';
      found.push({ file, line: row, text: `'${text}' is in no dictionary. ${instead} the word to content/words.txt.` });
    },
    info: quiet,
    debug: quiet,
    progress: quiet,
    error: failed,
    result: quiet,
  });
  return found;
}

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd();
  if (!existsSync(join(root, 'content/articles'))) throw new Error(`There is no folder content/articles in ${root}.`);
  const found = await checkContent(root);
  for (const { file, line, text } of found) console.error(`${file}:${line}  ${text}`);
  console.log(found.length === 0 ? 'The content is in order.' : `\n${found.length} to mend.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
