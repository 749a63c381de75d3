import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type * as z from 'zod/mini';
import { errorBody } from '../../../src/domain/errors.ts';
import { errorsOf, schemaOf } from '../../../netlify/server/http/api-document.ts';
import { type Handler, type Route, findRoute } from '../../../netlify/server/http/endpoint.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
type Schema = z.ZodMiniType;
const validators = new WeakMap<Schema, ValidateFunction>();

/**
 * Checks a response against the API document's description of its route: the status, the media type, and the JSON body,
 * which must have no properties beyond the schema. `call` checks every response of a function test with this function.
 * @throws with the difference, if any.
 */
export async function checkAnswer(handler: Handler, request: Request, answer: Response): Promise<void> {
  const what = `${request.method} ${new URL(request.url).pathname} answered ${answer.status}`;
  if (!answer.headers.get('x-request-id')) throw new Error(`${what} without X-Request-Id`);
  if (answer.status >= 400) {
    // A response with status 416, for a byte range that a file does not have, has no body.
    if (answer.status === 416) return;
    // An HTML page is for a person who sent a form without scripts.
    if (mediaType(answer) === 'text/html' || request.method === 'HEAD') return;
    const { code } = (await answer.clone().json()) as { code?: string };
    // The document does not describe unknown paths and methods.
    const route = code === 'method_not_allowed' ? null : routeOf(handler, request);
    if (answer.status === 503 && route?.spec.failing) return await checkBody(route.spec.output as Schema, answer, what);
    const documented = route && JSON.stringify(errorsOf(route)[answer.status]);
    if (route && !documented?.includes(`\`${code}\``))
      throw new Error(`${what}, but the document does not list ${code}`);
    return await checkBody(errorBody, answer, what);
  }
  if (answer.status === 304 || answer.status === 302) return;
  const { output, status = 200 } = findRoute(handler.routes, request, new URL(request.url).pathname).route.spec;
  if (answer.status === 303) return;
  if (answer.status !== status && answer.status !== 206) throw new Error(`${what}, but the document says ${status}`);
  if (request.method === 'HEAD' || !output) return;
  if (typeof output !== 'string') return await checkBody(output, answer, what);
  const [wanted = '', actual = ''] = [output, mediaType(answer)];
  const matches = wanted.endsWith('*') ? actual.startsWith(wanted.replace(/\*.*$/, '')) : actual === wanted;
  if (!matches) throw new Error(`${what} as ${actual}, but the document says ${wanted}`);
}

function routeOf(handler: Handler, request: Request): Route | null {
  try {
    return findRoute(handler.routes, request, new URL(request.url).pathname).route;
  } catch {
    return null;
  }
}

async function checkBody(schema: Schema, answer: Response, what: string): Promise<void> {
  const body: unknown = await answer.clone().json();
  const validate = validators.get(schema) ?? ajv.compile(schemaOf(schema, 'output'));
  validators.set(schema, validate);
  if (!validate(body))
    throw new Error(`${what} with a body that its schema does not know: ${ajv.errorsText(validate.errors)}`);
}

function mediaType(answer: Response): string {
  return (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
}
