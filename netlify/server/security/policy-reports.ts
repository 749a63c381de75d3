import type { PolicyReport } from '../stores/policy-reports.ts';

/** The relevant values of a report. Browsers send reports in one of two formats, `report-uri` or the Reporting API. */
interface SentReport {
  readonly directive?: unknown;
  readonly blocked?: unknown;
  readonly page?: unknown;
}

/** Keywords that browsers send as the blocked resource instead of a URL. */
const keyword = /^(inline|eval|wasm-eval|data|blob|self|trusted-types-(?:policy|sink))$/;

/**
 * Reduces a report to values without personal data: the directive, the origin of the blocked resource, and the kind of
 * page.
 * @param body the body of the request, parsed from JSON.
 * @param hosts the hosts of this site. Reports about other sites are ignored.
 * @returns null if the report is invalid, or about another site or a browser extension.
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
