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

/** When each error occurs. A route's own errors (`errors`) have their own descriptions. */
const whenErrorsOccur: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'A field or a parameter is not valid. `errors` has a message for each one.',
  malformed_body: 'The body is incomplete, or is not valid JSON or a valid form.',
  unauthorized: 'The request has no valid session.',
  forbidden_origin: 'The request has a session cookie and comes from a page of another site.',
  fresh_sign_in: `The last sign-in was more than ${freshSignInMinutes} minutes ago. Sign in again and repeat the request.`,
  not_found: 'No record has this id.',
  method_not_allowed:
    'The path does not accept this method. The header `Allow` lists the methods that the path accepts.',
  conflict: 'The upload in `uploadId` is unknown or has expired, or one of its parts is missing.',
  too_large: 'The body or the file is larger than its limit.',
  unsupported_media_type: 'The route does not accept this content type.',
  too_many_requests: 'The IP address sent too many requests. The header `Retry-After` has the seconds to wait.',
  internal: 'An unexpected error. The server log has the details under `requestId`.',
  unavailable: 'The database, or another part of the site, does not respond. Try again later.',
  storage_full: "The server's disk is almost full.",
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
  describeProperties(json);
  return json;
}

/** Adds a description to each property in a schema, at every depth. */
function describeProperties(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties } = node as { properties?: Record<string, Json> };
  for (const [name, property] of Object.entries(properties ?? {})) property.description ??= apiWords[name];
  for (const value of Object.values(node)) describeProperties(value);
}

/** The group of a route in the document: `contact`, `cms`, `settings`. */
const tagOf = ({ path }: Route) => path.replace('/api/', '/').split('/')[1]!;

function operationOf(route: Route): Json {
  const { method, path, spec } = route;
  const { access, fresh, summary, output, status = 200, query, example } = spec;
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query) : [])];
  const body = bodyOf(spec);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(\w)?/gi, (_, next: string = '') => next.toUpperCase())}`,
    tags: [tagOf(route)],
    summary,
    ...(fresh && { description: `Requires a sign-in within the last ${freshSignInMinutes} minutes.` }),
    security: access === 'admin' ? [{ cookie: [] }, { bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [status]: {
        description: status === 303 ? 'Redirects to a page' : 'Success',
        ...(typeof output === 'string' && { content: { [output]: {} } }),
        ...(output &&
          typeof output !== 'string' && { content: jsonContent(schemaOf(output, 'output'), example?.output) }),
      },
      ...errorsOf({ method, path, spec }),
      default: errorResponse('Any other error.'),
    },
  };
}

const jsonContent = (schema: Json, example?: object): Json => ({
  'application/json': { schema, ...(example && { example }) },
});

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: apiWords[name ?? ''],
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodMiniType): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: apiWords[name],
    schema,
  }));
}

/**
 * Describes the request body. JSON and form encodings have the same fields. A file is sent in a multipart body, or
 * beforehand as an upload in parts.
 */
function bodyOf({ input, file, rawBody, example }: Route['spec']): Json | null {
  if (rawBody) return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  if (!input && !file) return null;
  const fields = input ? schemaOf(input, 'input') : { type: 'object', properties: {} };
  const withProperties = (more: Json) => ({ ...fields, properties: { ...(fields.properties as Json), ...more } });
  const uploadId = {
    type: 'string',
    description: 'Instead of the file: the id of an upload that `POST /api/uploads` began.',
  };
  const schema = file ? withProperties({ uploadId }) : fields;
  const binary = { type: 'string', format: 'binary', description: file && apiWords[file.field] };
  const whole = file && withProperties({ uploadId, [file.field]: binary });
  return {
    required: true,
    content: {
      ...jsonContent(schema, example?.input),
      'application/x-www-form-urlencoded': { schema },
      ...(whole && { 'multipart/form-data': { schema: whole } }),
    },
  };
}

/** Describes the errors of a route, by HTTP status, because two errors can share one status. */
export function errorsOf({ method, path, spec }: Route): Record<string, Json> {
  const { access, fresh, query, input, file, rawBody, errors = {} } = spec;
  const isAdmin = access === 'admin';
  const happens: Partial<Record<ErrorCode, unknown>> = {
    invalid_input: query ?? input ?? file,
    malformed_body: input ?? file,
    unauthorized: isAdmin,
    forbidden_origin: isAdmin && method !== 'GET',
    fresh_sign_in: fresh,
    not_found: path.includes(':'),
    conflict: file,
    too_large: input ?? file ?? rawBody,
    unsupported_media_type: input ?? file,
    storage_full: file ?? rawBody,
    too_many_requests: true,
    internal: true,
    unavailable: true,
    ...errors,
  };
  const texts: Record<number, string[]> = {};
  for (const [code, status] of Object.entries(errorStatus) as [ErrorCode, number][]) {
    if (happens[code]) (texts[status] ??= []).push(`\`${code}\`: ${errors[code] ?? whenErrorsOccur[code]}`);
  }
  return Object.fromEntries(
    Object.entries(texts).map(([status, lines]) => [status, errorResponse(lines.join('\n\n'))]),
  );
}

function errorResponse(description: string): Json {
  return { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) };
}
