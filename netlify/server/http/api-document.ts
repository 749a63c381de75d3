import { type ErrorCode, errorBody, errorStatus } from '../../../src/domain/errors.ts';
import { freshSignInMinutes } from '../../../src/domain/retention.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { site } from '../../../src/site.config.ts';
import * as z from 'zod/mini';
import type { Handler, Route } from './endpoint.ts';

type Json = Record<string, unknown>;

/** The functions of the API, keyed by file name. */
export type ApiFunctions = Readonly<Record<string, Handler>>;

/**
 * Describes the API as an OpenAPI 3.1 document, generated from the routes and schemas of the functions.
 * @returns a JSON object.
 */
export function apiDocument(functions: ApiFunctions): Json {
  const paths: Record<string, Json> = {};
  for (const [name, handler] of Object.entries(functions).sort(([one], [other]) => one.localeCompare(other))) {
    for (const route of handler.routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, name) };
    }
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
    tags: Object.keys(functions)
      .sort()
      .map((name) => ({ name })),
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
      responses: Object.fromEntries(
        Object.entries(errorStatus).map(([code, status]) => [code, refusalOf(`${status}: ${code}`)]),
      ),
    },
  };
}

/** Returns a schema as JSON Schema 2020-12, in the form of requests (`input`) or responses (`output`). */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function operationOf({ method, path, spec }: Route, tag: string): Json {
  const { access, fresh, summary, output, status = 200, query, input, file, rawBody } = spec;
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query) : [])];
  const codes: ErrorCode[] = [];
  if (query ?? input ?? file) codes.push('invalid_input');
  if (access === 'admin') codes.push('unauthorized');
  if (access === 'admin' && method !== 'GET') codes.push('forbidden_origin');
  if (fresh) codes.push('fresh_sign_in');
  if (path.includes(':')) codes.push('not_found');
  if (input ?? file ?? rawBody) codes.push('too_large');
  if (input ?? file) codes.push('unsupported_media_type');
  if (file ?? rawBody) codes.push('storage_full');
  codes.push('too_many_requests', 'internal', 'unavailable');
  const body = bodyOf(spec);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(\w)?/gi, (_, next: string = '') => next.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(fresh && {
      description: `Requires a sign-in within the last ${freshSignInMinutes} minutes. Otherwise the error is \`fresh_sign_in\`: sign in again and repeat the request.`,
    }),
    security: access === 'admin' ? [{ cookie: [] }, { bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [status]: {
        description: status === 303 ? 'Redirects to a page' : 'Success',
        ...(output && { content: contentOf(output) }),
      },
      ...refusalsOf(codes),
      default: refusalOf('Any other error'),
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
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
    schema,
  }));
}

/**
 * Describes the request body. JSON and form encodings have the same fields. A file is sent in a multipart body, or
 * beforehand as an upload in parts.
 */
function bodyOf({ input, file, rawBody }: Route['spec']): Json | null {
  if (rawBody) return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  if (!input && !file) return null;
  const fields = input ? schemaOf(input, 'input') : { type: 'object', properties: {} };
  if (!file) {
    return {
      required: true,
      content: {
        'application/json': { schema: fields },
        'application/x-www-form-urlencoded': { schema: fields },
      },
    };
  }
  const uploadId = {
    type: 'string',
    description: 'Instead of the file: the id of an upload that `POST /api/uploads` began.',
  };
  const inParts = withProperties(fields, { uploadId });
  const whole = withProperties(fields, { uploadId, [file.field]: { type: 'string', format: 'binary' } });
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: whole },
      'application/json': { schema: inParts },
      'application/x-www-form-urlencoded': { schema: inParts },
    },
  };
}

function withProperties(schema: Json, more: Json): Json {
  return { ...schema, properties: { ...(schema.properties as Json | undefined), ...more } };
}

function contentOf(output: NonNullable<Route['spec']['output']>): Json {
  if (typeof output === 'string') return { [output]: {} };
  return { 'application/json': { schema: schemaOf(output, 'output') } };
}

/** Groups the error codes by HTTP status, because two codes can share one status. */
function refusalsOf(codes: readonly ErrorCode[]): Record<string, Json> {
  const responses: Record<string, Json> = {};
  for (const code of codes) {
    const status = errorStatus[code];
    const same = codes.filter((other) => errorStatus[other] === status);
    responses[status] =
      same.length === 1 ? { $ref: `#/components/responses/${code}` } : refusalOf(`${status}: ${same.join(' or ')}`);
  }
  return responses;
}

function refusalOf(description: string): Json {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
