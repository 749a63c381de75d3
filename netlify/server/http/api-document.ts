import * as z from 'zod/mini';
import packageJson from '../../../package.json' with { type: 'json' };
import { type ErrorCode, errorBody, errorStatus } from '../../../src/domain/errors.ts';
import { freshSignInMinutes } from '../../../src/domain/submissions/retention.ts';
import { site } from '../../../src/site.config.ts';
import { apiExamples, apiWords } from './api-words.ts';
import type { Handler, Route } from './endpoint.ts';

type Json = Record<string, unknown>;

/** The functions of the API, keyed by file name. */
export type ApiFunctions = Readonly<Record<string, Handler>>;

/** When each error occurs, and on which routes. A route's own errors (`errors`) have their own descriptions. */
const errors: Partial<Record<ErrorCode, readonly [text: string, on: (route: Route) => unknown]>> = {
  invalid_input: [
    'A field or a parameter is not valid. `errors` has a message for each one.',
    ({ spec }) => spec.query ?? spec.input ?? spec.file,
  ],
  malformed_body: [
    'The body is incomplete, or is not valid JSON or a valid form.',
    ({ spec }) => spec.input ?? spec.file ?? spec.rawBody,
  ],
  unauthorized: ['The request has no valid session.', ({ spec }) => spec.access === 'admin'],
  forbidden_origin: [
    'The request comes from a page of another site.',
    ({ spec, method }) => spec.sameOrigin ?? (spec.access === 'admin' && method !== 'GET'),
  ],
  fresh_sign_in: [
    `The last sign-in was more than ${freshSignInMinutes} minutes ago. Sign in again and repeat the request.`,
    ({ spec }) => spec.fresh,
  ],
  not_found: ['No record has this id.', ({ path }) => path.includes(':')],
  conflict: [
    'The upload in `uploadId` is unknown or has expired, or one of its parts is missing.',
    ({ spec }) => spec.file,
  ],
  too_large: ['The body or the file is larger than its limit.', ({ spec }) => spec.input ?? spec.file ?? spec.rawBody],
  unsupported_media_type: ['The route does not accept this content type.', ({ spec }) => spec.input ?? spec.file],
  storage_full: ["The server's disk is almost full.", ({ spec }) => spec.file ?? spec.rawBody],
  too_many_requests: [
    'The IP address sent too many requests. The header `Retry-After` has the seconds to wait.',
    () => true,
  ],
  internal: ['An unexpected error. The server log has the details under `requestId`.', () => true],
  unavailable: ['The database, or another part of the site, does not respond. Try again later.', () => true],
};

/**
 * Describes the API as an OpenAPI 3.1 document, generated from the routes and schemas of the functions.
 * @returns a JSON object.
 */
export function apiDocument(functions: ApiFunctions): Json {
  const paths: Record<string, Json> = {};
  for (const route of Object.values(functions).flatMap((handler) => handler.routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${site.name} API`,
      version: packageJson.version,
      description:
        'The API of the website and its admin area. Requests that change data and use the cookie must come from the same origin. ' +
        'Every response has the header X-Request-Id, and every error has the body `Error`. An inquiry, an application or a new ' +
        'post with the header Idempotency-Key is stored once, even if the request is repeated. A request that prefers ' +
        'text/html (a form without scripts) gets a 303 redirect to a page, or a page with its errors.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Set by signing in. Over https the name is `__Host-session`.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that `POST /api/login` returns.' },
      },
    },
  };
}

/** Returns a schema as JSON Schema 2020-12, in the form of requests (`input`) or responses (`output`). */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // Adds a description to each property, at every depth.
  return JSON.parse(JSON.stringify(json), (key, value: Record<string, Json>) => {
    if (key === 'properties') for (const name in value) value[name]!.description ??= apiWords[name];
    return value;
  }) as Json;
}

function operationOf(route: Route): Json {
  const { method, path, spec } = route;
  const { access, fresh, summary, output, status = 200, failing, query } = spec;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    required: true,
    description: apiWords[name],
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const inQuery = Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    required: (required as string[]).includes(name),
    description: apiWords[name],
    schema,
  }));
  const example = apiExamples[`${method} ${path}`];
  const content =
    typeof output === 'string' ? { [output]: {} } : output && jsonContent(schemaOf(output, 'output'), example?.output);
  const body = bodyOf(spec, example?.input);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(\w)?/gi, (_, next: string = '') => next.toUpperCase())}`,
    // The group of a route: `contact`, `cms`, `settings`.
    tags: [path.replace('/api/', '/').split('/')[1]],
    summary,
    ...(fresh && { description: `Requires a sign-in within the last ${freshSignInMinutes} minutes.` }),
    security: access === 'admin' ? [{ cookie: [] }, { bearer: [] }] : [],
    parameters: [...inPath.map((one) => ({ in: 'path', ...one })), ...inQuery.map((one) => ({ in: 'query', ...one }))],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [status]: { description: status === 303 ? 'Redirects to a page' : 'Success', ...(content && { content }) },
      ...errorsOf(route),
      ...(failing && content && { 503: { description: failing, content } }),
      default: errorResponse('Any other error.'),
    },
  };
}

const jsonContent = (schema: Json, example?: object): Json => ({
  'application/json': { schema, ...(example && { example }) },
});

/**
 * Describes the request body. JSON and form encodings have the same fields. A file is sent in a multipart body, or
 * beforehand as an upload in parts.
 */
function bodyOf({ input, file, rawBody }: Route['spec'], example?: object): Json | null {
  if (rawBody) return { 'application/octet-stream': { schema: {} } };
  if (!input && !file) return null;
  const { properties, ...fields } = input ? schemaOf(input, 'input') : { type: 'object' };
  const uploadId = {
    type: 'string',
    description: 'Instead of the file: the id of an upload that `POST /api/uploads` began.',
  };
  const schema = { ...fields, properties: { ...(properties as Json), ...(file && { uploadId }) } };
  const withFile = file && {
    ...schema.properties,
    [file.field]: { type: 'string', format: 'binary', description: apiWords[file.field] },
  };
  return {
    ...jsonContent(schema, example),
    'application/x-www-form-urlencoded': { schema },
    ...(withFile && { 'multipart/form-data': { schema: { ...schema, properties: withFile } } }),
  };
}

/** Describes the errors of a route, by HTTP status, because two errors can share one status. */
export function errorsOf(route: Route): Record<string, Json> {
  const texts: Record<number, string[]> = {};
  for (const [code, status] of Object.entries(errorStatus) as [ErrorCode, number][]) {
    const [text, occurs] = errors[code] ?? [];
    const when = route.spec.errors?.[code] ?? (occurs?.(route) ? text : undefined);
    if (when) (texts[status] ??= []).push(`\`${code}\`: ${when}`);
  }
  const described = Object.entries(texts).map(([status, lines]) => [status, errorResponse(lines.join('\n\n'))]);
  return Object.fromEntries(described) as Record<string, Json>;
}

function errorResponse(description: string): Json {
  return { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) };
}
