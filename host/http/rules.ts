import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeaderRule } from '../../src/domain/site/security-headers.ts';

/** The header of every file, unless a rule replaces it. */
const everywhere = ['cache-control', 'public, max-age=0, must-revalidate'] as const;

/**
 * Reads the rules about headers in the build's `.netlify/v1/config.json`, as Netlify does.
 * @returns a function that returns the headers of a file by its path, with names in lower case.
 */
export async function headerRules(config: string): Promise<(path: string) => Map<string, string>> {
  const { headers = [] } = JSON.parse((await textOf(config)) || '{}') as { headers?: readonly HeaderRule[] };
  const rules = headers.map(({ for: pattern, values }) => ({
    expression: new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
    values: Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const),
  }));
  return (path) => {
    const matching = rules.filter(({ expression }) => expression.test(path));
    return new Map([everywhere, ...matching.flatMap(({ values }) => values)]);
  };
}

/**
 * Reads `dist/_redirects`. Each line has a path and the path that it leads to.
 * @returns the new path for each old path, without patterns.
 * @throws if a line needs a feature of Netlify that this host does not have.
 */
export async function redirectRules(dist: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await textOf(join(dist, '_redirects'))).split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  return new Map(
    lines.map((line) => {
      const [, from, to] = /^(\/[^*:\s]*)\s+(\/(?!\/)\S*)(?:\s+301)?\s*$/.exec(line) ?? [];
      if (from !== undefined && to !== undefined) return [from, to];
      throw new Error(`dist/_redirects: this server understands only lines such as "/old /new 301", not "${line}".`);
    }),
  );
}

/** Returns the text of a file, or an empty text if the file does not exist. */
const textOf = async (file: string) => (existsSync(file) ? await readFile(file, 'utf8') : '');
