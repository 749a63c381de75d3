import type { Context } from '@netlify/functions';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';

/** The properties of the context that are the same for every call of every function. */
export interface HostFacts {
  readonly deploy: Context['deploy'];
  readonly site: Context['site'];
  /** Registers work that continues after the response. The host waits for this work before it stops. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

type CookieJar = Context['cookies'];
type NetlifyCookie = CookieJar['set'] extends { (cookie: infer C): void; (name: string, value: string): void }
  ? C
  : never;

/** The second argument of a function. Has the same properties as on Netlify (`Context` of `@netlify/functions`). */
export class FunctionContext implements Context {
  readonly account = { id: 'host' };
  readonly geo = {};
  readonly server = {};
  readonly deploy: Context['deploy'];
  readonly site: Context['site'];
  readonly waitUntil: Context['waitUntil'];
  readonly ip: string;
  readonly requestId: string;
  readonly params: Record<string, string>;
  readonly #request: Request;
  #url: URL | undefined;
  #cookies: CookieJar | undefined;
  readonly #setCookies: string[] = [];

  constructor(facts: HostFacts, request: Request, call: Pick<Context, 'ip' | 'requestId' | 'params'>) {
    this.deploy = facts.deploy;
    this.site = facts.site;
    this.waitUntil = facts.waitUntil;
    this.ip = call.ip;
    this.requestId = call.requestId;
    this.params = call.params;
    this.#request = request;
  }

  get url(): URL {
    this.#url ??= new URL(this.#request.url);
    return this.#url;
  }

  get cookies(): CookieJar {
    this.#cookies ??= this.#openCookies();
    return this.#cookies;
  }

  json(input: unknown): Response {
    return Response.json(input);
  }

  log(...data: unknown[]): void {
    console.log(...data);
  }

  next(): Promise<Response> {
    throw new Error('`context.next` is not available to functions, only to edge functions.');
  }

  rewrite(): Promise<Response> {
    throw new Error('`context.rewrite` is not available to functions, only to edge functions.');
  }

  /** Returns the response with the cookies that the function set through this context. */
  withCookies(response: Response): Response {
    if (this.#setCookies.length === 0) return response;
    const headers = new Headers(response.headers);
    for (const cookie of this.#setCookies) headers.append('set-cookie', cookie);
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  }

  #openCookies(): CookieJar {
    const sent = parseCookie(this.#request.headers.get('cookie') ?? '');
    const add = (cookie: SetCookie): void => void this.#setCookies.push(stringifySetCookie(cookie));
    return {
      get: (name) => sent[name] ?? '',
      set: (cookie: NetlifyCookie | string, value?: string) => {
        add(typeof cookie === 'string' ? { name: cookie, value: value ?? '' } : asSetCookie(cookie));
      },
      delete: (cookie) => {
        const named = typeof cookie === 'string' ? { name: cookie } : cookie;
        add({ ...named, value: '', expires: new Date(0) });
      },
    };
  }
}

function asSetCookie({
  name,
  value,
  expires,
  maxAge,
  domain,
  path,
  secure,
  httpOnly,
  sameSite,
}: NetlifyCookie): SetCookie {
  return {
    ...{ name, value, maxAge, domain, path, secure, httpOnly },
    ...(expires !== undefined && { expires: new Date(expires) }),
    ...(sameSite && { sameSite: sameSite.toLowerCase() as 'strict' | 'lax' | 'none' }),
  };
}
