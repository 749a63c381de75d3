import type { PolicyReport } from './stores/policy-reports.ts';

/** As browsers send them: one of `report-uri`, or a list of the Reporting API. */
interface SentReport {
  readonly directive?: unknown;
  readonly blocked?: unknown;
  readonly page?: unknown;
}

/** Keywords that `blocked-uri` has instead of a URL. */
const keyword = /^(inline|eval|wasm-eval|data|blob|self|trusted-types-(?:policy|sink))$/;

/**
 * What a report says, cut down to what names no person: the directive, the origin of what was refused, and the kind of page.
 * @param body of the request, as parsed from JSON.
 * @param hosts of this site; reports about other sites do not count.
 * @returns null where there is nothing to count: a browser's extension was refused, or it is no report.
 */
export function policyReportOf(body: unknown, hosts: readonly string[]): PolicyReport | null {
  const { directive, blocked, page } = sentReport(body);
  if (typeof directive !== 'string' || typeof blocked !== 'string' || typeof page !== 'string') return null;
  const name = /^[a-z-]{3,40}/.exec(directive)?.[0];
  const at = URL.parse(page);
  if (!name || !at || !hosts.includes(at.host)) return null;
  if (keyword.test(blocked)) return { directive: name, blocked, page: pageKind(at.pathname) };
  const source = URL.parse(blocked);
  if (!source || !/^(https?|wss?|data|blob):$/.test(source.protocol)) return null;
  const origin = source.host === '' ? source.protocol.slice(0, -1) : `${source.protocol}//${source.host}`;
  return { directive: name, blocked: origin.slice(0, 100), page: pageKind(at.pathname) };
}

function sentReport(body: unknown): SentReport {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null) return {};
  if ('csp-report' in first) {
    const sent = (first['csp-report'] ?? {}) as Record<string, unknown>;
    const directive = sent['effective-directive'] ?? sent['violated-directive'];
    return { directive, blocked: sent['blocked-uri'], page: sent['document-uri'] };
  }
  const sent = ('body' in first ? (first.body ?? {}) : {}) as Record<string, unknown>;
  return { directive: sent['effectiveDirective'], blocked: sent['blockedURL'], page: sent['documentURL'] };
}

/** Turns `/blog/preview/secret` into `/blog/*`. The rest of a path may be a key or personal data. */
function pageKind(path: string): string {
  const [, first = '', ...rest] = path.split('/');
  if (!/^[a-z-]{0,40}$/.test(first)) return 'other';
  return rest.length === 0 ? `/${first}` : `/${first}/*`;
}
