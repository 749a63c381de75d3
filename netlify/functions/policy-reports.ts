import { mediaTypeOf, readBytes } from '../server/http/body.ts';
import { endpoint, on } from '../server/endpoint/endpoint.ts';
import { Refusal } from '../server/runtime/refusal.ts';
import { policyReportOf } from '../server/security/policy-reports.ts';

const types = ['application/csp-report', 'application/reports+json', 'application/json'];
const mostBytes = 8 * 1024;

export default endpoint(
  { requestsAMinute: 20 },
  // The path is short, because the headers of every page contain it.
  on('POST', '/api/csp', {
    access: 'public',
    summary: 'Counts a browser’s report about content that the Content-Security-Policy blocked',
    output: null,
    status: 204,
    rawBody: true,
    run: async ({ request, services: { stores, env, now } }) => {
      if (!types.includes(mediaTypeOf(request))) {
        throw new Refusal('unsupported_media_type', 'This URL accepts only Content-Security-Policy reports.');
      }
      const hosts = [request.url, env.SITE_URL].flatMap((address) => URL.parse(address ?? '')?.host ?? []);
      const report = policyReportOf(parsed(await readBytes(request, mostBytes)), hosts);
      if (report) await stores.policyReports.count(report, now().toISOString());
      return new Response(null, { status: 204, headers: { 'cache-control': 'private, no-store' } });
    },
  }),
);

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Refusal('malformed_body', 'The report is not valid JSON.', { cause: error });
  }
}
