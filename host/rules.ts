import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Header, type MinimalHeader, parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import redirector, { type Match, type MatchRequest } from 'netlify-redirector';

/** The target of a request, according to the site's redirects. */
export interface Redirection {
  /**
   * A status of 200 or 404 serves the target at the requested URL. A status of 3xx redirects the browser to the target.
   */
  readonly status: number;
  readonly target: string;
  readonly force: boolean;
}

/** The headers and redirects from `netlify.toml`, from the build's files and from its Frameworks API configuration. */
export interface Rules {
  /**
   * Returns the headers for a file at a path, with header names in lower case. Responses of functions get none of these
   * headers, as on Netlify.
   */
  readonly headersFor: (pathname: string) => Map<string, string>;
  /**
   * Finds the redirect for a request.
   * @param path the path of `url`, as `canonicalPath` spells it.
   */
  readonly redirectionOf: (request: Request, url: URL, path: string) => Redirection | null;
  /** True if any redirect takes precedence over files and functions. */
  readonly hasForced: boolean;
}

export interface RuleFiles {
  /** The path of netlify.toml. */
  readonly config: string;
  /** The published folder, which may contain `_headers` and `_redirects`. */
  readonly dist: string;
  /** The path of `.netlify/v1/config.json`, which a build may write. */
  readonly frameworks: string;
}

// Netlify sets these headers itself and ignores rules for them.
const reserved = new Set([
  ...['accept-ranges', 'age', 'allow', 'alt-svc', 'connection', 'content-encoding', 'content-length', 'content-range'],
  ...['date', 'location', 'server', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/**
 * Reads all rules with Netlify's own parsers, and matches redirects with Netlify's own matcher, so the rules have the
 * same effect as on Netlify.
 * @throws if a rule is invalid, or needs a feature that this host does not support.
 */
export async function loadRules(files: RuleFiles): Promise<Rules> {
  const frameworks = await readFrameworks(files.frameworks);
  const headers = await readHeaders(files, frameworks.headers);
  const redirects = await readRedirects(files, frameworks.redirects);
  const matcher =
    redirects.length === 0
      ? null
      : await redirector.parseJSON(
          JSON.stringify(redirects.map(({ from, query, ...rule }) => ({ ...rule, origin: from, params: query }))),
          {},
        );
  return {
    headersFor(pathname) {
      const found = new Map<string, string>();
      for (const { forRegExp, values } of headers) {
        if (!forRegExp.test(pathname)) continue;
        for (const [name, value] of Object.entries(values)) {
          if (!reserved.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
        }
      }
      return found;
    },
    redirectionOf(request, url, path) {
      const match = matcher?.match(matchRequest(request, url, path));
      return match ? { status: match.status, target: withQuery(match, url), force: match.force } : null;
    },
    hasForced: redirects.some(({ force }) => force),
  };
}

interface FrameworksConfig {
  headers: MinimalHeader[];
  redirects: object[];
}

async function readFrameworks(file: string): Promise<FrameworksConfig> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const { headers = [], redirects = [] } = JSON.parse(text) as Partial<FrameworksConfig>;
  return { headers, redirects };
}

/**
 * Reads the headers in the order in which Netlify merges them: `_headers`, the framework's headers, netlify.toml. Later
 * headers replace earlier ones.
 */
async function readHeaders(files: RuleFiles, fromFramework: MinimalHeader[]): Promise<Header[]> {
  const built = await parseAllHeaders({
    headersFiles: [join(files.dist, '_headers')],
    configHeaders: fromFramework,
    minimal: false,
  });
  const configured = await parseAllHeaders({
    headersFiles: [],
    netlifyConfigPath: files.config,
    configHeaders: [],
    minimal: false,
  });
  complain([...built.errors, ...configured.errors]);
  return [...built.headers, ...configured.headers].filter((header): header is Header => 'forRegExp' in header);
}

interface ParsedRedirect {
  readonly from: string;
  readonly query: Record<string, string>;
  readonly to: string;
  readonly force: boolean;
}

async function readRedirects(files: RuleFiles, fromFramework: object[]): Promise<ParsedRedirect[]> {
  const options = { minimal: false } as const;
  const built = await parseAllRedirects({
    ...options,
    redirectsFiles: [join(files.dist, '_redirects')],
    configRedirects: fromFramework as unknown as string[],
  });
  const configured = await parseAllRedirects({
    ...options,
    redirectsFiles: [],
    netlifyConfigPath: files.config,
    configRedirects: [],
  });
  complain([...(built.errors as Error[]), ...(configured.errors as Error[])]);
  const redirects = [...built.redirects, ...configured.redirects] as (ParsedRedirect & { proxy: boolean })[];
  const proxied = redirects.find(({ proxy }) => proxy);
  if (proxied)
    throw new Error(
      `The redirect from ${proxied.from} leads to another host. This server cannot forward requests to other hosts.`,
    );
  return redirects;
}

function complain(errors: Error[]): void {
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
}

function matchRequest(request: Request, url: URL, path: string): MatchRequest {
  return {
    scheme: url.protocol.slice(0, -1),
    host: url.hostname,
    path: decodeURIComponent(path),
    query: url.search.slice(1),
    headers: {},
    cookieValues: {},
    getHeader: (name) => request.headers.get(name) ?? '',
    getCookie: () => '',
  };
}

/** Returns a redirect's target. If the target has no query, the query of the request is added. */
function withQuery({ to }: Match, url: URL): string {
  if (url.search === '' || to.includes('?')) return to;
  const [before = '', hash] = to.split('#', 2);
  return `${before}${url.search}${hash === undefined ? '' : `#${hash}`}`;
}
