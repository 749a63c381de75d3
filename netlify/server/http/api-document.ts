import * as z from 'zod/mini';
import packageJson from '../../../package.json' with { type: 'json' };
import { type ErrorCode, errorBody, errorStatus } from '../../../src/domain/errors.ts';
import { freshSignInMinutes } from '../../../src/domain/retention.ts';
import { site } from '../../../src/site.config.ts';
import { apiWords } from './api-words.ts';
import type { Handler, Route } from './endpoint.ts';

type Json = Record<string, unknown>;

/** The functions of the API, keyed by file name. */
export type ApiFunctions = Readonly<Record<string, Handler>>;

type Occurs = (route: Route['spec'] & Pick<Route, 'path' | 'method'>) => unknown;
const always: Occurs = () => true;

/** When each error occurs, and on which routes. A route's own errors (`errors`) have their own descriptions. */
const errors: Readonly<Partial<Record<ErrorCode, readonly [text: string, on: Occurs]>>> = {
  invalid_input: [
    'A field or a parameter is not valid. `errors` has a message for each one.',
    ({ query, input, file }) => query ?? input ?? file,
  ],
  malformed_body: ['The body is incomplete, or is not valid JSON or a valid form.', ({ input, file }) => input ?? file],
  unauthorized: ['The request has no valid session.', ({ access }) => access === 'admin'],
  forbidden_origin: [
    'The request comes from a page of another site.',
    ({ access, sameOrigin, method }) => sameOrigin ?? (access === 'admin' && method !== 'GET'),
  ],
  fresh_sign_in: [
    `The last sign-in was more than ${freshSignInMinutes} minutes ago. Sign in again and repeat the request.`,
    ({ fresh }) => fresh,
  ],
  not_found: ['No record has this id.', ({ path }) => path.includes(':')],
  conflict: ['The upload in `uploadId` is unknown or has expired, or one of its parts is missing.', ({ file }) => file],
  too_large: ['The body or the file is larger than its limit.', ({ input, file, rawBody }) => input ?? file ?? rawBody],
  unsupported_media_type: ['The route does not accept this content type.', ({ input, file }) => input ?? file],
  too_many_requests: [
    'The IP address sent too many requests. The header `Retry-After` has the seconds to wait.',
    always,
  ],
  internal: ['An unexpected error. The server log has the details under `requestId`.', always],
  unavailable: ['The database, or another part of the site, does not respond. Try again later.', always],
  storage_full: ["The server's disk is almost full.", ({ file, rawBody }) => file ?? rawBody],
};

/**
 * Describes the API as an OpenAPI 3.1 document, generated from the routes and schemas of the functions.
 * @returns a JSON object.
 */
export function apiDocument(functions: ApiFunctions): Json {
  const paths: Record<string, Json> = {};
  const routes = Object.values(functions).flatMap((handler) => handler.routes);
  for (const route of routes) {
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
        'Every response has the header X-Request-Id, and every error has the body `Error`. A request that prefers text/html ' +
        '(a form without scripts) gets a 303 redirect to a page.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name })),
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
        bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that `POST /api/login` answers.' },
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

/** The group of a route in the document: `contact`, `cms`, `settings`. */
const tagOf = ({ path }: Route) => path.replace('/api/', '/').split('/')[1]!;

function operationOf(route: Route): Json {
  const { method, path, spec } = route;
  const { access, fresh, summary, output, status = 200, query, example } = spec;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']): Json => ({
    name,
    in: 'path',
    required: true,
    description: apiWords[name],
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  for (const [name, schema] of Object.entries(properties as Json)) {
    const isRequired = (required as string[]).includes(name);
    parameters.push({ name, in: 'query', required: isRequired, description: apiWords[name], schema });
  }
  const content =
    typeof output === 'string' ? { [output]: {} } : output && jsonContent(schemaOf(output, 'output'), example?.output);
  const body = bodyOf(spec);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(\w)?/gi, (_, next: string = '') => next.toUpperCase())}`,
    tags: [tagOf(route)],
    summary,
    ...(fresh && { description: `Requires a sign-in within the last ${freshSignInMinutes} minutes.` }),
    security: access === 'admin' ? [{ cookie: [] }, { bearer: [] }] : [],
    parameters,
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [status]: { description: status === 303 ? 'Redirects to a page' : 'Success', ...(content && { content }) },
      ...errorsOf({ method, path, spec }),
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
function bodyOf({ input, file, rawBody, example }: Route['spec']): Json | null {
  if (rawBody) return { 'application/octet-stream': { schema: {} } };
  if (!input && !file) return null;
  const fields = input ? schemaOf(input, 'input') : { type: 'object' };
  const withProperties = (more: Json) => ({ ...fields, properties: { ...(fields.properties as Json), ...more } });
  const uploadId = {
    type: 'string',
    description: 'Instead of the file: the id of an upload that `POST /api/uploads` began.',
  };
  const schema = file ? withProperties({ uploadId }) : fields;
  const binary = file && { type: 'string', format: 'binary', description: apiWords[file.field] };
  return {
    ...jsonContent(schema, example?.input),
    'application/x-www-form-urlencoded': { schema },
    ...(file && { 'multipart/form-data': { schema: withProperties({ uploadId, [file.field]: binary }) } }),
  };
}

/** Describes the errors of a route, by HTTP status, because two errors can share one status. */
export function errorsOf({ method, path, spec }: Route): Record<string, Json> {
  const texts: Record<number, string[]> = {};
  for (const [code, status] of Object.entries(errorStatus) as [ErrorCode, number][]) {
    const [text, occurs] = errors[code] ?? [];
    const when = spec.errors?.[code] ?? (occurs?.({ ...spec, method, path }) ? text : undefined);
    if (when) (texts[status] ??= []).push(`\`${code}\`: ${when}`);
  }
  return Object.fromEntries(
    Object.entries(texts).map(([status, lines]) => [status, errorResponse(lines.join('\n\n'))]),
  );
}

function errorResponse(description: string): Json {
  return { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) };
}
