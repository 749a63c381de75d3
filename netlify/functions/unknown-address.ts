import { Refusal } from '../server/runtime/refusal.ts';
import { refusalResponse, withOwnHeaders } from '../server/http/respond.ts';
import type { Context } from '@netlify/functions';

/**
 * Responds to every path under `/api` that no other function serves. A rewrite in `netlify.toml` sends those requests
 * here.
 */
async function unknownAddress(request: Request, context: Context): Promise<Response> {
  const refusal = new Refusal('not_found', 'The API has no route at this URL. /api/openapi.json lists all routes.');
  return withOwnHeaders(refusalResponse(refusal, request, context.requestId), context.requestId);
}

/** Because the list of routes is empty, the self-hosted server does not receive the request's body (`bodyBytesOf`). */
export default Object.assign(unknownAddress, { routes: [] });
