// Runs `npm run check:content`: checks `content/` and the text of pages, the admin and emails. Prints each mistake with
// its file, its line and a correction. Reads only source files, so no build is necessary. The tests of the built site
// check links and anchors again.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lint } from 'cspell';
import { articleFrontmatter, readingTimeFault } from '../src/domain/article.ts';
import { readServices, serviceFaults } from '../src/data/service-files.ts';
import { interfaceTexts } from './interface-texts.ts';
import { readSources, type Source } from './content-sources.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  /** The mistake and how to correct it. */
  readonly text: string;
}

/** Returns all mistakes in the content of the project at `root`, sorted by file and line. */
export async function checkContent(root: string): Promise<Finding[]> {
  const articles = readSources(root, 'content/articles');
  const all = [...articles, ...readSources(root, 'content/legal')];
  const places = readPlaces(root, articles, all);
  const found = [
    ...articles.flatMap(frontmatterFindings),
    ...articles.flatMap(readingTimeFindings),
    ...serviceFindings(root),
    ...all.flatMap(pictureFindings),
    ...all.flatMap((source) => linkFindings(source, places)),
    ...all.flatMap(({ file, body, lineIn }) =>
      phraseFindings(file, prose(body).replace(/\]\([^)]*\)/g, ']'), lineIn(0) - 1),
    ),
    ...['services', 'sections', 'templates'].flatMap((folder) => textFindings(root, `content/${folder}`)),
    ...duplicateFindings(root, all),
    ...(await spellingFindings(root, root)),
    ...(await interfaceFindings(root)),
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

/**
 * Returns the mistakes in services that make a build fail. Omits links from MDX files to missing services, because
 * `linkFindings` reports these links.
 */
function serviceFindings(root: string): Finding[] {
  return serviceFaults(root)
    .filter(({ file }) => !file.endsWith('.mdx'))
    .map(({ file, field, text }) => {
      if (!field) return { file, line: 1, text };
      return { file, line: lineOfField(root, file, field.split('.')[0]!), text: `${field}: ${text}` };
    });
}

/** Returns the line of a field in a JSON file, or 1 if the field is missing. */
function lineOfField(root: string, file: string, field: string): number {
  const json = readFileSync(join(root, file), 'utf8');
  return json.slice(0, Math.max(0, json.indexOf(`"${field}":`))).split('\n').length;
}

/** Checks the reading times of published articles. */
function readingTimeFindings({ file, frontmatter, body, lineOf }: Source): Finding[] {
  const { success, data } = articleFrontmatter.safeParse(frontmatter);
  const fault = success && !data.draft ? readingTimeFault(data.minutes, body) : null;
  return fault ? [{ file, line: lineOf(['minutes']), text: `The article ${fault}` }] : [];
}

/** Returns the body with its code replaced by spaces, so line numbers stay the same. */
function prose(body: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ');
  return body.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** Phrases that confuse American readers, with corrections. `flagWords` of cspell.json lists single words. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bat once\b/gi, "Write 'immediately', or 'at the same time'."],
  [/\bstands? (?:in|under|there|beside)\b/gi, "Write where it appears: 'is in', 'appears under'."],
  [/\b(?:is|was) said\b/gi, 'Name the person who says it.'],
  [/\byour yes\b/gi, "Write 'your consent'."],
  [/\bpresent partner\b/gi, "Write 'current partner'."],
  [/\bthe one before\b/gi, 'Repeat the noun.'],
  [/\bin all (?:its|their) forms\b|\bas it is\b/gi, 'Say which.'],
  [/\bnew joiners?\b/gi, "Write 'new hires'."],
  [/\b\d{1,3}-\d{1,3}(?=%| (?:days|weeks|months|years|hours|minutes)\b)/g, 'Write an en dash (–) in a range.'],
  [/\w[”"][,.](?=\s)/g, 'Put the comma or period inside the quotation marks.'],
];

/** @param linesBefore the number of lines in the file before the text. */
function phraseFindings(file: string, text: string, linesBefore = 0): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    phrases.flatMap(([phrase, instead]) =>
      [...line.matchAll(phrase)].map(([found]) => ({
        file,
        line: linesBefore + index + 1,
        text: `'${found}': ${instead}`,
      })),
    ),
  );
}

/**
 * Checks the text in JSON files, except the durations of services: these approved texts (docs/product.md#fixed-texts)
 * contain ranges with a hyphen, such as "1-2 weeks", which `phraseFindings` would report.
 */
function textFindings(root: string, folder: string): Finding[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const file = join(folder, name);
    const text = readFileSync(join(root, file), 'utf8');
    return phraseFindings(file, text.replace(/^[ \t]*"(?:duration|overall)": .*$|",/gm, ''));
  });
}

function pictureFindings({ file, body, lineIn }: Source): Finding[] {
  const pictures = prose(body).matchAll(/!\[\s*\]\([^)]*\)|<(?:img|Image)\b(?![^>]*\balt=)[^>]*>/g);
  return [...pictures].map(({ 0: picture, index }) => ({
    file,
    line: lineIn(index),
    text: `The picture ${picture} has no alternative text. Describe the picture in it.`,
  }));
}

/** Valid targets of the site's own links. */
interface Places {
  /** The anchors of each page, by path; null for a page whose anchors are spread over several source files. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** The anchors in all source files together. A link to a page without its own list may use any of these anchors. */
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
        {
          file: source.file,
          line,
          text: `The link ${href} does not lead to a page. ${nearest(at, [...pages.keys()])}`,
        },
      ];
    }
    if (anchor === undefined || known?.has(anchor) || (!known && anchors.has(anchor))) return [];
    const choices = known ? nearest(anchor, [...known]) : 'Check the page for the id of the section.';
    return [{ file: source.file, line, text: `The link ${href} does not lead to a section of ${at}. ${choices}` }];
  });
}

function readPlaces(root: string, articles: readonly Source[], all: readonly Source[]): Places {
  const pages = new Map<string, ReadonlySet<string> | null>();
  const folder = join(root, 'src/pages');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const page = /^(?!.*(?:\[|_parts))(.*?)(?:\/?index)?\.astro$/.exec(file);
    if (page) pages.set(`/${page[1]}`, null);
  }
  for (const id of readServices(root).ids) pages.set(`/services/${id}`, null);
  for (const file of readdirSync(join(root, 'content/templates'))) {
    const path = `/templates/${file.replace(/\.json$/, '')}`;
    pages.set(path, null).set(`${path}.csv`, null);
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

/** Returns the ids that the headings of a text get. */
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
  for (const [id, frontmatter] of readServices(root).services) {
    const file = `content/services/${id}.json`;
    const lineOf = ([field]: readonly PropertyKey[]): number => lineOfField(root, file, String(field));
    fields.push({ file, frontmatter, lineOf });
  }
  return fields.flatMap(({ file, frontmatter, lineOf }) =>
    ['title', 'description'].flatMap((field) => {
      const value = frontmatter[field];
      const key = `${field}: ${String(value).trim().toLowerCase()}`;
      const other = seen.get(key);
      seen.set(key, file);
      if (value === undefined || other === undefined) return [];
      const text = `${field} is the same as in ${other}. Write what is different about this page, because search engines show only one of two identical texts.`;
      return [{ file, line: lineOf([field]), text }];
    }),
  );
}

/** Checks the text of pages, forms, the admin and emails in their source files. */
async function interfaceFindings(root: string): Promise<Finding[]> {
  const sources = interfaceTexts(root);
  const phrases = sources.flatMap(({ file, texts }) =>
    texts.flatMap(({ line, text }) =>
      phraseFindings(file, text).map((finding) => ({ ...finding, line: finding.line + line - 1 })),
    ),
  );
  // cspell needs files, so each text is written to a temporary file on the same line as in its source.
  const folder = await mkdtemp(join(tmpdir(), 'interface-'));
  try {
    for (const { file, texts } of sources) {
      const lines: string[] = [];
      for (const { line, text } of texts) {
        for (const [index, words] of text.split('\n').entries()) {
          lines[line - 1 + index] = `${lines[line - 1 + index] ?? ''} ${words}`;
        }
      }
      const path = join(folder, `${file}.txt`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, Array.from(lines, (words) => words ?? '').join('\n'));
    }
    const spelling = await spellingFindings(root, folder, ['**/*.txt']);
    return [...phrases, ...spelling.map((finding) => ({ ...finding, file: finding.file.replace(/\.txt$/, '') }))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Checks the spelling of the files in `folder`, with the cspell configuration of the project at `root`. */
async function spellingFindings(root: string, folder: string, files: string[] = []): Promise<Finding[]> {
  const found: Finding[] = [];
  const quiet = (): void => undefined;
  const failed = (message: string, error?: unknown): never => {
    throw new Error(message, { cause: error });
  };
  const options = { root: folder, config: join(root, 'cspell.json'), progress: false, showSuggestions: true };
  await lint(files, options, {
    issue: ({ uri = '', row, text, isFlagged, suggestions = [] }) => {
      const file = decodeURIComponent(new URL(uri).pathname).slice(folder.length + 1);
      if (isFlagged) {
        found.push({ file, line: row, text: `'${text}' is on the list of words to avoid. Write ${suggestions[0]}.` });
        return;
      }
      const instead = suggestions.length > 0 ? `Write ${suggestions.slice(0, 2).join(' or ')}, or add` : 'Add';
      found.push({
        file,
        line: row,
        text: `'${text}' is not in the dictionary. ${instead} the word to content/words.txt.`,
      });
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
  console.log(
    found.length === 0
      ? 'No problems found in the content.'
      : `\n${found.length} ${found.length === 1 ? 'problem' : 'problems'} found.`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}
