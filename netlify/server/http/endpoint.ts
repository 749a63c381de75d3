import { randomUUID } from 'node:crypto';
import type { Context } from '@netlify/functions';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { errorStatus, fieldErrors } from '../../../src/domain/errors.ts';
import { uploadLimits } from '../../../src/domain/upload.ts';
import { requireFreshSignIn, requireSession, type Session } from '../auth/sessions.ts';
import { isDatabaseFault } from '../db/fault.ts';
import { EnvError } from '../env.ts';
import { logError } from '../log.ts';
import { requireSpace } from '../quotas.ts';
import { type Services, services } from '../services.ts';
import type { NewActivity } from '../stores/activity.ts';
import { countRefusal, isTrailDue, writeTrail } from '../trail.ts';
import { defaultBodyLimit, readBody } from './body.ts';
import { type FileRule, type ParsedForm, type ReceivedFile, readForm } from './multipart.ts';
import { Refusal, notFound } from './refusal.ts';
import { json, refusalResponse, varyOf, withOwnHeaders } from './respond.ts';
import { requireSameOrigin } from './same-origin.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Schema = z.ZodMiniType | undefined;
type Parsed<S extends Schema> = S extends z.ZodMiniType ? z.output<S> : undefined;
/** A file that is required is there when the route runs; `R` is what is said where it is missing. */
type Received<R extends string> = [R] extends [never] ? ReceivedFile | null : ReceivedFile;

/** How long an upload in parts is kept after a request used it, for a retry of that request. */
const usedUploadMs = 15 * 60_000;

/** `admin` needs a session; `public` is open to everybody. */
type RouteAccess = 'public' | 'admin';

/** What a route's `run` is given. */
interface Call<Query, Input, Access extends RouteAccess, File = ReceivedFile | null> {
  readonly request: Request;
  readonly requestId: string;
  /** The visitor's address, as the host saw it. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly input: Input;
  /** The file beside the fields, where the route takes one. */
  readonly file: File;
  /** True where the body came in a form's own encoding, as from a browser without scripts. */
  readonly fromForm: boolean;
  /** The raw body beside `input`, for marks that are no part of the schema. */
  readonly body: unknown;
  readonly services: Services;
  /** The signed-in admin; on a public route, null. */
  readonly session: Access extends 'admin' ? Session : null;
  /** Keeps the function alive for work that the answer does not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /**
   * Notes what this call does for the activity record; it is written when the call succeeds, and dropped when it does not.
   * @param action what was done, as it reads after the admin's name: `released an inquiry`.
   * @param subject what it was done to: a reference, a title, a file's name.
   * @param who the admin, on a public route; else the session's.
   */
  readonly record: (action: string, subject?: string, who?: string) => void;
}

/** A media type, for what is answered with a file. */
type MediaType = `${string}/${string}`;

interface RouteSpec<Q extends Schema, I extends Schema, A extends RouteAccess, R extends string> {
  readonly access: A;
  /** Needs a sign-in of at most 10 minutes ago, on a route for admins. */
  readonly fresh?: A extends 'admin' ? true : never;
  /** One line for the API document. */
  readonly summary: string;
  /** What a success answers, for the API document: the JSON body's schema, a file's media type, or nothing (null). */
  readonly output: z.ZodMiniType | MediaType | null;
  /** A success's status where it is not 200. */
  readonly status?: 201 | 202 | 204 | 303;
  readonly query?: Q;
  readonly input?: I;
  /** Takes a file beside the fields, in a multipart body or as an upload in parts; its refusals are field errors. */
  readonly file?: FileRule & { readonly required?: R };
  /** Bytes of body that are read at most. */
  readonly bodyLimit?: number;
  /** Leaves the body to `run`, for binary parts. */
  readonly rawBody?: boolean;
  /** Answers input that the schema refused, where a plain 400 will not do (a native form keeps its values). */
  readonly invalid?: (call: Call<undefined, undefined, A>, errors: Record<string, string>) => Promise<Response | null>;
  readonly run: (call: Call<Parsed<Q>, Parsed<I>, A, Received<R>>) => Promise<Response | object>;
}

/** A route whose types have done their work. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly spec: RouteSpec<Schema, Schema, RouteAccess, string>;
}

/**
 * States a route of a function.
 * @param path with `:name` for a part that varies; also listed in the function's literal `config.path`.
 */
export function on<
  A extends RouteAccess,
  Q extends Schema = undefined,
  I extends Schema = undefined,
  R extends string = never,
>(method: Method, path: string, spec: RouteSpec<Q, I, A, R>): Route {
  return { method, path, spec };
}

export type Handler = ((request: Request, context: Context, given?: Services) => Promise<Response>) & {
  readonly routes: readonly Route[];
};

/**
 * Makes a function's handler of its routes: guard, parse, run, respond, with the only try/catch.
 * Every answer carries `X-Request-Id`; every refusal and fault has the one error shape.
 */
export function endpoint(...routes: Route[]): Handler {
  const handle = async (request: Request, context: Context, given?: Services): Promise<Response> => {
    const requestId = context.requestId || randomUUID();
    let response: Response;
    try {
      response = await answer(routes, request, context, requestId, given);
    } catch (error) {
      const refusal = asRefusal(error, request, requestId);
      noteRefusal(refusal, routes, request, context, given);
      response = refusalResponse(refusal, request, requestId);
    }
    // A body that no one reads would keep its turn, or its file, until a time limit ends it.
    if (request.method === 'HEAD' && response.body) {
      await response.body.cancel();
      response = new Response(null, response);
    }
    return withOwnHeaders(response, requestId);
  };
  return Object.assign(handle, { routes });
}

async function answer(
  routes: Route[],
  request: Request,
  context: Context,
  requestId: string,
  given: Services | undefined,
): Promise<Response> {
  const url = new URL(request.url);
  const { route, params } = findRoute(routes, request, url.pathname);
  const spec = route.spec;
  const provided = given ?? (await services(context));
  const session = spec.access === 'admin' ? await requireSession(request, provided) : null;
  if (session?.fromCookie) requireSameOrigin(request);
  if (session && spec.fresh) requireFreshSignIn(session, provided.now());

  const query = spec.query && parse(spec.query, Object.fromEntries(url.searchParams));
  if (query?.errors) throw invalidInput(query.errors);

  if (spec.file) await requireSpace(spec.access, provided);

  const noted: Noted[] = [];
  const hasBody = (spec.input !== undefined || spec.file !== undefined) && !spec.rawBody;
  const body = hasBody ? await readParsed(request, spec, provided) : noBody;
  const call = {
    request,
    requestId,
    address: context.ip,
    params,
    query: query?.value,
    input: undefined as unknown,
    file: body.file,
    fromForm: body.fromForm,
    body: body.value,
    services: provided,
    session,
    waitUntil: (work: Promise<unknown>) => context.waitUntil(work),
    record: (action: string, subject = '', who = session?.email ?? '') => void noted.push({ who, action, subject }),
  };
  if (hasBody) {
    const input = spec.input && parse(spec.input, body.value);
    const { fileProblem } = body;
    if (input?.errors || fileProblem) {
      const errors = { ...input?.errors, ...(fileProblem && { [spec.file?.field ?? 'file']: fileProblem.message }) };
      const own = await spec.invalid?.({ ...call, query: undefined, input: undefined, file: null }, errors);
      if (own) return own;
      throw input?.errors || !fileProblem
        ? invalidInput(errors)
        : new Refusal(fileProblem.code, fileProblem.message, { errors });
    }
    call.input = input?.value;
  }
  // A required file that is missing was a problem above.
  const result = await spec.run({ ...call, file: body.file as ReceivedFile });
  await writeActivity(noted, provided, requestId);
  const { uploadId } = body;
  if (uploadId) {
    const until = new Date(provided.now().getTime() + usedUploadMs).toISOString();
    call.waitUntil(provided.stores.uploads.expireAt(uploadId, until));
  }
  if (!(result instanceof Response)) return json(result);
  // Netlify's CDN otherwise keeps an answer for each query, and an endless number of them.
  if (result.headers.has('netlify-cdn-cache-control'))
    result.headers.set('netlify-vary', varyOf(queryKeysOfRoute(spec)));
  return result;
}

/** The keys of the query that a route reads. */
export function queryKeysOfRoute({ query }: Pick<Route['spec'], 'query'>): string[] {
  return query && 'shape' in query ? Object.keys(query.shape as object) : [];
}

/** Counts what the trail holds of refusals. A function on Netlify may end after this request, so it writes what is due. */
function noteRefusal(
  { code }: Refusal,
  routes: Route[],
  request: Request,
  context: Context,
  given: Services | undefined,
): void {
  const status = errorStatus[code];
  if (status !== 403 && status !== 429) return;
  const { pathname } = new URL(request.url);
  const route = routes.find(({ path }) => matchPath(path, pathname));
  countRefusal(status === 403 ? 'forbidden' : 'tooMany', route?.path ?? 'unknown');
  if (!isTrailDue()) return;
  context.waitUntil(
    Promise.resolve(given ?? services(context))
      .then(writeTrail)
      .catch((error: unknown) => logError('refusals not recorded', {}, error)),
  );
}

type Noted = Omit<NewActivity, 'at'>;

/** What was done is done: where it cannot be recorded, the log says so and the answer stays a success. */
async function writeActivity(noted: readonly Noted[], { stores, now }: Services, requestId: string): Promise<void> {
  if (noted.length === 0) return;
  const at = now().toISOString();
  const entries = noted.map(({ who, action, subject }) => ({ at, who, action, subject: subject.slice(0, 200) }));
  await stores.activity
    .create(entries)
    .catch((error: unknown) => logError('activity not recorded', { requestId }, error));
}

const noBody: ParsedForm = { value: undefined, fromForm: false, file: null, fileProblem: null, uploadId: null };

async function readParsed(request: Request, spec: Route['spec'], provided: Services): Promise<ParsedForm> {
  if (spec.file) return await readForm(request, spec.file, provided);
  return { ...noBody, ...(await readBody(request, spec.bodyLimit ?? defaultBodyLimit)) };
}

/** The route of a function that answers a request. @throws {Refusal} `not_found` or `method_not_allowed`. */
export function findRoute(routes: readonly Route[], request: Request, pathname: string) {
  const here: { route: Route; params: Record<string, string> }[] = [];
  for (const route of routes) {
    const params = matchPath(route.path, pathname);
    if (params) here.push({ route, params });
  }
  if (here.length === 0) throw notFound('This address');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find(({ route }) => route.method === method);
  if (!found) {
    const allow = [...new Set(here.map(({ route }) => route.method))].sort().join(', ');
    throw new Refusal('method_not_allowed', `This address answers ${allow}.`, { headers: { allow } });
  }
  return found;
}

/**
 * Returns how many bytes of a body a function with these routes reads at most for a request: 0 if it answers without
 * reading the body. A host that receives bodies before it calls the function need not receive more.
 */
export function bodyBytesOf(routes: readonly Route[], request: Request, pathname: string): number {
  let spec: Route['spec'];
  try {
    ({ spec } = findRoute(routes, request, pathname).route);
  } catch {
    return 0;
  }
  if (spec.rawBody) return Infinity;
  if (spec.file) return uploadLimits[spec.file.purpose] + defaultBodyLimit;
  return spec.input ? (spec.bodyLimit ?? defaultBodyLimit) : 0;
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const actual = pathname.split('/');
  if (expected.length !== actual.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    }
  }
  return params;
}

function parse(schema: z.ZodMiniType, value: unknown): { value?: unknown; errors?: Record<string, string> } {
  const result = safeParse(schema, value);
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error) };
}

function invalidInput(errors: Record<string, string>): Refusal {
  return new Refusal('invalid_input', Object.values(errors)[0] ?? 'The request is not valid.', { errors });
}

function asRefusal(error: unknown, request: Request, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  const method = request.method;
  const path = new URL(request.url).pathname;
  logError('request failed', { requestId, method, path }, error);
  if (error instanceof EnvError) {
    return new Refusal('unavailable', 'The server is not set up yet. Its log says what is missing.');
  }
  if (isDatabaseFault(error)) {
    return new Refusal('unavailable', 'Our database is not available right now. Please try again in a minute.', {
      headers: { 'retry-after': '60' },
    });
  }
  return new Refusal('internal', 'Something went wrong on our side. Nothing you entered is lost; please try again.');
}
