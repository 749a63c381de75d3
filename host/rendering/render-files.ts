import { writeFile } from 'node:fs/promises';
import { ownPage } from '../../netlify/server/http/own-page.ts';
import { inParallel } from '../in-parallel.ts';
import { withPreloads } from '../module-preloads.ts';
import { type Bundle, loadRenderer } from './bundle.ts';
import type { Path } from './entry.ts';

/** A page or an endpoint, and the file to write. */
export interface Target {
  readonly pathname: string;
  readonly file: string;
}

/** The arguments of {@link renderFiles}. A thread receives them as its `workerData`. */
export interface RenderFilesData {
  readonly root: string;
  readonly bundle: Bundle;
  readonly targets: readonly Target[];
  /** The index of the next target, in memory that all threads share. Each thread takes the next one when it is free. */
  readonly next: Int32Array;
}

/** Number of pages that are rendered in parallel. While one page waits for an image, the other uses this thread. */
const atOnce = 2;
export const policyHeader = 'Content-Security-Policy';
/**
 * Pages that are served for unknown paths. No header rule matches an unknown path, so these pages contain their
 * Content-Security-Policy.
 */
const errorPages = ['/404', '/service-not-found'];
/**
 * Pages that do not work without scripts. Preloads the modules of these pages only, because other pages load scripts on
 * interaction or work without scripts.
 */
const scriptedPages = ['/admin', '/admin/settings'];

/**
 * Renders those pages that no other thread has taken, and writes each to its file.
 * @returns the Content-Security-Policy of each page that this thread rendered, by path. It is empty for a file that is
 * not a page.
 * @throws if a page cannot be rendered, after printing the reason.
 */
export async function renderFiles({ root, bundle, targets, next }: RenderFilesData): Promise<Map<string, string>> {
  const renderer = await loadRenderer(root, bundle);
  const paths = new Map((await renderer.staticPaths()).map((path) => [path.pathname, path]));
  const imports = new Map(bundle.imports);
  const policies = new Map<string, string>();
  await inParallel(atOnce, remaining(targets, next), async ({ pathname, file }) => {
    const path = paths.get(pathname)!;
    const request = new Request(new URL(encodeURI(fileOf(path)), bundle.site));
    const response = await renderer.render(request, path.route);
    if (response.status >= 500) throw new Error(`${pathname} cannot be rendered.`);
    const body = Buffer.from(await response.arrayBuffer());
    const policy = response.headers.get(policyHeader);
    if (policy === null) {
      policies.set(pathname, '');
      return writeFile(file, body);
    }
    const html = body.toString();
    const own = ownPage(policy, scriptedPages.includes(pathname) ? withPreloads(html, imports) : html);
    policies.set(pathname, own.policy);
    return writeFile(file, errorPages.includes(pathname) ? withPolicy(own.html, own.policy) : own.html);
  });
  return policies;
}

function* remaining(targets: readonly Target[], next: Int32Array): Generator<Target, undefined> {
  for (let at = Atomics.add(next, 0, 1); at < targets.length; at = Atomics.add(next, 0, 1)) yield targets[at]!;
}

/** Returns the file name of a page or an endpoint, relative to the folder of the site. */
export function fileOf({ pathname, route }: Path): string {
  if (route.type !== 'page') return pathname;
  return pathname === '/' ? '/index.html' : `${pathname}.html`;
}

/** Puts the policy of a page into the page. */
function withPolicy(html: string, policy: string): string {
  // Browsers warn about these directives in a meta element. The X-Frame-Options header of netlify.toml replaces
  // `frame-ancestors`.
  const inPage = policy.replaceAll(/(frame-ancestors|report-uri) [^;]*;?\s*/g, '').replaceAll('"', '&quot;');
  // Inserts the policy at the beginning of the head, or after a leading charset: a policy applies only to elements
  // after it.
  const meta = `<meta http-equiv="content-security-policy" content="${inPage}">`;
  return html.replace(/<head[^<>]*>(\s*<meta charset=[^<>]*>)?/i, (head) => head + meta);
}
