import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { securityHeaders } from '../../src/domain/security-headers.ts';
import { functionPolicy } from '../../netlify/server/http/respond.ts';

interface Rule {
  /** A path, in which `*` stands for any characters. */
  readonly for: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Headers of every file, in lower case, unless a rule replaces them. */
const everywhere: [string, string][] = [
  ...Object.entries(securityHeaders).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
  ['content-security-policy', functionPolicy],
  ['cache-control', 'public, max-age=0, must-revalidate'],
];

/**
 * Reads the rules about headers that Netlify applies to files: the build's `.netlify/v1/config.json` and then
 * `dist/_headers`, whose headers replace earlier ones.
 * @returns a function that returns the headers of a file by its path, with names in lower case.
 */
export async function headerRules(dist: string, config: string): Promise<(path: string) => Map<string, string>> {
  const { headers = [] } = JSON.parse((await textOf(config)) || '{}') as { headers?: Rule[] };
  const rules = [...headers, ...parseHeaders(await textOf(join(dist, '_headers')))].map(({ for: pattern, values }) => ({
    expression: new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
    values: Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const),
  }));
  return (path) => {
    const matching = rules.filter(({ expression }) => expression.test(path));
    return new Map([...everywhere, ...matching.flatMap(({ values }) => values)]);
  };
}

/** Parses Netlify's format: a path at the start of a line, and its headers in the indented lines below it. */
function parseHeaders(text: string): Rule[] {
  const rules: { for: string; values: Record<string, string> }[] = [];
  for (const line of linesOf(text)) {
    const content = line.trim();
    const [, name, value] = /^([^:]+):(.+)$/.exec(content) ?? [];
    const rule = rules.at(-1);
    if (!/^\s/.test(line)) rules.push({ for: content, values: {} });
    else if (rule && name !== undefined && value !== undefined) rule.values[name] = value.trim();
    else throw new Error(`dist/_headers has a line that is neither a path nor a header: ${content}`);
  }
  return rules;
}

/**
 * Reads `dist/_redirects`. Each line has a path and the path that it leads to.
 * @returns the new path for each old path, without patterns.
 * @throws if a line needs a feature of Netlify that this host does not have.
 */
export async function redirectRules(dist: string): Promise<ReadonlyMap<string, string>> {
  return new Map(
    linesOf(await textOf(join(dist, '_redirects'))).map((line) => {
      const [, from, to] = /^(\/[^*:\s]*)\s+(\/(?!\/)\S*)(?:\s+301)?\s*$/.exec(line) ?? [];
      if (from !== undefined && to !== undefined) return [from, to];
      throw new Error(`dist/_redirects: this server understands only lines such as "/old /new 301", not "${line}".`);
    }),
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
}

/** Returns the text of a file, or an empty text if the file does not exist. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
