import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { securityHeaders } from '../../src/domain/security-headers.ts';
import { functionPolicy } from '../../netlify/server/http/respond.ts';

interface Rule {
  /** A path, in which `*` stands for any characters. */
  readonly for: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Reads the rules about headers that Netlify applies to files: the build's `.netlify/v1/config.json` and then
 * `dist/_headers`, whose headers replace earlier ones.
 * @returns a function that returns the headers of a file by its path, with names in lower case. Every file has the
 * security headers and a `Cache-Control` header, even if no rule matches.
 */
export async function headerRules(
  dist: string,
  frameworks: string,
): Promise<(path: string) => ReadonlyMap<string, string>> {
  const { headers = [] } = JSON.parse((await textOf(frameworks)) || '{}') as { headers?: Rule[] };
  const rules = [...headers, ...parseHeaders(await textOf(join(dist, '_headers')))].map(({ for: pattern, values }) => {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    return { expression: new RegExp(`^${escaped}$`), values };
  });
  const everywhere = {
    ...securityHeaders,
    'content-security-policy': functionPolicy,
    'cache-control': 'public, max-age=0, must-revalidate',
  };
  return (path) => {
    const matching = rules.filter(({ expression }) => expression.test(path)).map(({ values }) => values);
    return new Map(
      [everywhere, ...matching].flatMap((values) =>
        Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const),
      ),
    );
  };
}

/** Parses Netlify's format: a path at the start of a line, and its headers in the indented lines below it. */
function parseHeaders(text: string): Rule[] {
  const rules: { for: string; values: Record<string, string> }[] = [];
  for (const line of text.split('\n')) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
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
  const lines = (await textOf(join(dist, '_redirects'))).split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Map(
    lines.filter(Boolean).map((line) => {
      const [from = '', to = '', status = '301', ...more] = line.split(/\s+/);
      if (!/^\/[^*:]*$/.test(from) || !/^\/(?!\/)/.test(to) || status !== '301' || more.length > 0) {
        throw new Error(`dist/_redirects: this server understands only lines such as "/old /new 301", not "${line}".`);
      }
      return [from, to] as const;
    }),
  );
}

/** Returns the text of a file, or an empty text if the file does not exist. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
