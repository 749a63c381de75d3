import { unknownRoute } from '../server/refusal.ts';
import { refusalResponse, withOwnHeaders } from '../server/http/respond.ts';
import type { Context } from '@netlify/functions';

/**
 * Responds on Netlify to every path under `/api` that no other function serves. A rewrite in `netlify.toml` sends those
 * requests here.
 */
export default async function unknownAddress(request: Request, context: Context): Promise<Response> {
  return withOwnHeaders(refusalResponse(unknownRoute(), request, context.requestId), context.requestId);
}
