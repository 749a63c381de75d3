import * as z from 'zod/mini';
import packageJson from '../../../package.json' with { type: 'json' };
import { type ErrorCode, errorBody, errorStatus } from '../../../src/domain/errors.ts';
import { freshSignInMinutes } from '../../../src/domain/retention.ts';
import { site } from '../../../src/site.config.ts';
import type { Handler, Route } from './endpoint.ts';

type Json = Record<string, unknown>;

/** The functions of the API, keyed by file name. */
export type ApiFunctions = Readonly<Record<string, Handler>>;

/** On which routes each error occurs. Every route can have any other error. */
const occurs: Partial<Record<ErrorCode, (route: Route) => unknown>> = {
  invalid_input: ({ spec }) => spec.query ?? spec.input ?? spec.file,
  malformed_body: ({ spec }) => spec.input ?? spec.file,
  unauthorized: ({ spec }) => spec.access === 'admin',
  forbidden_origin: ({ spec, method }) => spec.sameOrigin ?? (spec.access === 'admin' && method !== 'GET'),
  fresh_sign_in: ({ spec }) => spec.fresh,
  not_found: ({ path }) => path.includes(':'),
  conflict: ({ spec }) => spec.file,
  too_large: ({ spec }) => spec.input ?? spec.file ?? spec.rawBody,
  unsupported_media_type: ({ spec }) => spec.input ?? spec.file,
  storage_full: ({ spec }) => spec.file ?? spec.rawBody,
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
        'Every response has the header X-Request-Id, and every error has the body `Error`. A request that prefers text/html ' +
        '(a form without scripts) gets a 303 redirect to a page.',
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
        bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that `POST /api/login` answers.' },
      },
    },
  };
}

/** Returns a schema as JSON Schema 2020-12, in the form of requests (`input`) or responses (`output`). */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function operationOf(route: Route): Json {
  const { method, path, spec } = route;
  const { access, fresh, summary, output, status = 200, query } = spec;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const inQuery = Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    required: (required as string[]).includes(name),
    schema,
  }));
  const content = typeof output === 'string' ? { [output]: {} } : output && jsonContent(schemaOf(output, 'output'));
  const body = bodyOf(spec);
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
      default: errorResponse('Any other error, such as `too_many_requests`, `internal` or `unavailable`.'),
    },
  };
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

/**
 * Describes the request body. JSON and form encodings have the same fields. A file is sent in a multipart body, or
 * beforehand as an upload in parts.
 */
function bodyOf({ input, file, rawBody }: Route['spec']): Json | null {
  if (rawBody) return { 'application/octet-stream': { schema: {} } };
  if (!input && !file) return null;
  const { properties, ...fields } = input ? schemaOf(input, 'input') : { type: 'object' };
  const uploadId = {
    type: 'string',
    description: 'Instead of the file: the id of an upload that `POST /api/uploads` began.',
  };
  const schema = { ...fields, properties: { ...(properties as Json), ...(file && { uploadId }) } };
  const withFile = file && { ...schema.properties, [file.field]: { type: 'string', format: 'binary' } };
  return {
    ...jsonContent(schema),
    'application/x-www-form-urlencoded': { schema },
    ...(withFile && { 'multipart/form-data': { schema: { ...schema, properties: withFile } } }),
  };
}

/** Describes the errors of a route, by HTTP status, because two errors can share one status. */
export function errorsOf(route: Route): Record<string, Json> {
  const texts: Record<number, string[]> = {};
  for (const [code, status] of Object.entries(errorStatus) as [ErrorCode, number][]) {
    const own = route.spec.errors?.[code];
    if (own) (texts[status] ??= []).push(`\`${code}\`: ${own}`);
    else if (occurs[code]?.(route)) (texts[status] ??= []).push(`\`${code}\``);
  }
  const described = Object.entries(texts).map(([status, lines]) => [status, errorResponse(lines.join('\n\n'))]);
  return Object.fromEntries(described) as Record<string, Json>;
}

function errorResponse(description: string): Json {
  return { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) };
}
