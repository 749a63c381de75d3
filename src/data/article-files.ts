import { readdir, readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { type ArticleFrontmatter, articleFrontmatter } from '../domain/article.ts';

/** The source of an article. */
export interface ArticleFile {
  /** File name without `.mdx`. */
  readonly id: string;
  /** Path from the root of the project. */
  readonly file: string;
  readonly data: ArticleFrontmatter;
  /** The text below the frontmatter, as MDX. */
  readonly body: string;
}

/**
 * Reads the article files. Pages call this function while they are rendered, so articles are not part of the bundle.
 * In the bundle, many articles would make builds slow.
 *
 * @throws if the schema rejects a field. The message names the file and the field.
 */
export async function readArticleFiles(folder = 'content/articles'): Promise<ArticleFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mdx')).toSorted();
  const files: ArticleFile[] = [];
  for (const name of names) files.push(await readArticleFile(folder, name));
  return files;
}

async function readArticleFile(folder: string, name: string): Promise<ArticleFile> {
  const file = `${folder}/${name}`;
  const source = await readFile(file, 'utf8');
  const [head = '', yaml = ''] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(source) ?? [];
  const { data, error } = articleFrontmatter.safeParse(frontmatterOf(file, yaml));
  if (!data) {
    const lines = error.issues.map(({ path, message }) => `  - ${path.join('.') || 'frontmatter'}: ${message}`);
    throw new Error(`${file} cannot be published:\n${lines.join('\n')}`);
  }
  return { id: name.replace(/\.mdx$/, ''), file, data, body: source.slice(head.length).trim() };
}

function frontmatterOf(file: string, yaml: string): unknown {
  try {
    return load(yaml);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
