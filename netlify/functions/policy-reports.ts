import type { Config } from '@netlify/functions';
import { mediaTypeOf, readBytes } from '../server/http/body.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { policyReportOf } from '../server/policy-reports.ts';

const types = ['application/csp-report', 'application/reports+json', 'application/json'];
const mostBytes = 8 * 1024;

export default endpoint(
  // Short, because the path is part of the headers of every page.
  on('POST', '/api/csp', {
    access: 'public',
    summary: 'Counts what a browser refused because of the Content-Security-Policy of a page',
    output: null,
    status: 204,
    rawBody: true,
    run: async ({ request, services: { stores, env, now } }) => {
      if (!types.includes(mediaTypeOf(request))) {
        throw new Refusal('unsupported_media_type', 'Send a report of a Content-Security-Policy.');
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

export const config: Config = {
  path: '/api/csp',
  rateLimit: { windowLimit: 20, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
