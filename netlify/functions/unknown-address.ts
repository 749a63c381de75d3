import { Refusal } from '../server/http/refusal.ts';
import { refusalResponse, withOwnHeaders } from '../server/http/respond.ts';
import type { Context } from '@netlify/functions';

/** Answers every address under `/api` that no other function has (a rewrite in `netlify.toml` leads here). */
async function unknownAddress(request: Request, context: Context): Promise<Response> {
  const refusal = new Refusal('not_found', 'There is nothing at this address of the API.');
  return withOwnHeaders(refusalResponse(refusal, request, context.requestId), context.requestId);
}

/** No route: the host does not receive a body that nothing reads. */
export default Object.assign(unknownAddress, { routes: [] });
