import { afterEach, beforeEach, expect } from 'vitest';
import type { InquiryReceipt } from '../../../src/domain/submissions/inquiry.ts';
import { apiFunctions } from '../../../netlify/api-functions.ts';
import unknownAddress from '../../../netlify/functions/unknown-address.ts';
import { type Database, rawSql } from '../../../netlify/server/db/database.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import type { Handler } from '../../../netlify/server/http/endpoint.ts';
import { runScheduledWork } from '../../../netlify/server/jobs.ts';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import { type Services, servicesOf } from '../../../netlify/server/services.ts';
import { signedInAdmin } from './admins.ts';
import { anInquiry } from '../samples/inquiries.ts';
import { type MailServer, startMailServer } from '../servers/mail-server.ts';
import { multipart } from './multipart.ts';
import { hashPassword, quickCost } from './passwords.ts';
import { anApplication, resumeFile } from '../samples/resumes.ts';
import { type Sent, type TestServices, call, passTime, testServices } from './services.ts';
import { type WebhookServer, startWebhookServer } from '../servers/webhook-server.ts';

const routes = Object.values(await apiFunctions()).flatMap((handler) =>
  handler.routes.map(({ path }) => ({ handler, pattern: new URLPattern({ pathname: path }) })),
);

/** Returns the function that answers this path, as a host finds it. */
function handlerOf(path: string): Handler {
  const { pathname } = new URL(path, 'http://site.test');
  return routes.find(({ pattern }) => pattern.test({ pathname }))?.handler ?? (unknownAddress as unknown as Handler);
}

interface Setup {
  /** The environment variables, or a function that returns them before each test. */
  readonly variables?: Record<string, string> | (() => Record<string, string>);
  /** True for a site with a mail server. */
  readonly mail?: boolean;
  /** True for a site with a team chat. */
  readonly chat?: boolean;
  /** True for a site on a host that rebuilds the site when the build hook is requested. */
  readonly buildHook?: boolean;
  /** True for a site whose first admin is {@link owner}. */
  readonly owner?: boolean;
}

/** What differs in another process; `variables` replaces the whole environment except for the session secret. */
interface OtherProcess {
  readonly variables?: Record<string, string>;
  readonly database?: Database;
  readonly blobs?: TestServices['blobs'];
}

export const owner = { email: 'owner@firm.example', password: 'correct horse battery' };
const passwordHash = await hashPassword(owner.password);

/** Provides new services for each test, and requests to their API. Call it once, at the top of a file. */
export function useApi(setup: Setup = {}) {
  let site: TestServices;
  let mail: MailServer | undefined;
  let chat: WebhookServer | undefined;
  let buildHook: WebhookServer | undefined;
  let session: Promise<{ authorization: string }> | undefined;

  const addOwner = (email = owner.email) =>
    site.services.stores.admins.createFirst({ email, passwordHash }, '2026-01-01T00:00:00Z');
  const open = async (variables: Record<string, string> = {}): Promise<void> => {
    const all = {
      ...(mail && { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@firm.example' }),
      ...(chat && { NOTIFY_WEBHOOK_URL: chat.url }),
      ...(buildHook && { BUILD_HOOK_URL: buildHook.url }),
      ...(typeof setup.variables === 'function' ? setup.variables() : setup.variables),
      ...variables,
    };
    site = await testServices(all);
    if (setup.owner) await addOwner();
    // Acts as a self-hosted server, which has no CDN to purge.
    lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
    session = undefined;
  };
  const answers: Response[] = [];
  const processes: Services[] = [];
  const close = async (): Promise<void> => {
    lendPlatform(undefined);
    // A response that a test did not read may hold an open file.
    for (const { body, bodyUsed } of answers.splice(0)) if (!bodyUsed) await body?.cancel();
    for (const { mailer } of processes.splice(0)) mailer.close();
    await site.close();
  };
  beforeEach(async () => {
    if (setup.mail) mail = await startMailServer();
    if (setup.chat) chat = await startWebhookServer();
    if (setup.buildHook) buildHook = await startWebhookServer();
    await open();
  });
  afterEach(async () => {
    await close();
    await mail?.close();
    await chat?.close();
    await buildHook?.close();
  });

  const ask = async (path: string, sent: Sent = {}, services = site.services): Promise<Response> => {
    const answer = await call(handlerOf(path), path, services, sent);
    answers.push(answer);
    return answer;
  };
  const headers = (): Promise<{ authorization: string }> => (session ??= signedInAdmin(site.services));
  const anotherProcess = ({
    variables,
    database = site.services.database,
    blobs = site.blobs,
  }: OtherProcess = {}): Services => {
    const { env, now } = site.services;
    const changed = variables ? readEnv({ SESSION_SECRET: env.SESSION_SECRET, ...variables }) : env;
    const services = servicesOf(changed, database, blobs, now, undefined, quickCost);
    processes.push(services);
    return services;
  };
  const admin = async (path: string, sent: Sent = {}, services = site.services): Promise<Response> =>
    await ask(path, { ...sent, headers: { ...(await headers()), ...sent.headers } }, services);
  return {
    get services() {
      return site.services;
    },
    get blobs() {
      return site.blobs;
    },
    get mail() {
      return mail!;
    },
    get chat() {
      return chat!;
    },
    get buildHook() {
      return buildHook!;
    },
    /** Returns the number of builds that the site requested. */
    rebuilds: () => buildHook!.posts.length,
    advance: (ms: number) => site.advance(ms),
    tick: (services = site.services) => runScheduledWork(services),
    passTime: (ms: number) => passTime(site, ms),
    /** Starts the services again with a new database. */
    restart: async (variables?: Record<string, string>): Promise<void> => {
      await close();
      await open(variables);
    },
    /** Sends a request as a visitor. */
    ask,
    /** Sends a request as the admin `owner@firm.example`. */
    admin,
    /** Sends an inquiry as a visitor. The site must accept it. */
    inquire: async (changes: Record<string, unknown> = {}, services?: Services): Promise<InquiryReceipt> => {
      const response = await ask('/api/contact', { json: anInquiry(changes) }, services);
      expect(response.status).toBe(201);
      return (await response.json()) as InquiryReceipt;
    },
    /** Sends an application with a resume as a visitor. */
    apply: async (
      changes: Record<string, string | File> = {},
      headers: Record<string, string> = {},
      services?: Services,
    ): Promise<Response> => {
      const sent = await multipart({ ...anApplication(), resume: resumeFile(), ...changes }, headers);
      return await ask('/api/career-application', sent, services);
    },
    /** Returns new services with the same data, as in another process or after a restart. */
    anotherProcess,
    /** Returns such services, and the lists of what they ask of the database and of file storage. */
    counted: () => {
      const statements: string[] = [];
      const blobRequests: string[] = [];
      const { database } = site.services;
      const services = anotherProcess({
        database: {
          ...database,
          read: (statement) => (statements.push(statement.sql), database.read(statement)),
          write: (...given) => (statements.push(...given.map(({ sql }) => sql)), database.write(...given)),
          check: () => (statements.push('check'), database.check()),
        },
        blobs: (name) => (blobRequests.push(name), site.blobs(name)),
      });
      return { services, statements, blobRequests };
    },
    /** Returns services that cannot reach these stores. */
    without: async (...names: (keyof Services['stores'])[]): Promise<Services> => {
      const away = await testServices();
      await away.close();
      const unreachable = Object.fromEntries(names.map((name) => [name, away.services.stores[name]]));
      return { ...site.services, stores: { ...site.services.stores, ...unreachable } };
    },
    /** Returns the rows of an SQL query. */
    rows: (query: string) => site.services.database.read(rawSql(query)),
    /** Returns the activity log as an admin sees it, newest first. */
    activity: async () => {
      const { data } = await site.services.stores.activity.list({ limit: 50 });
      return data.map(({ who, action, subject }) => ({ who, action, subject }));
    },
    /** Lets a cache be purged as on a self-hosted server. @returns the tags that are purged from now on. */
    watchPurges: (): string[] => {
      const purged: string[] = [];
      const purgeTags = (tags: readonly string[]) => void purged.push(...tags);
      lendPlatform({ env: site.services.env, openBlobStore: site.blobs, purgeTags });
      return purged;
    },
    /** Sends a request as the admin. The request must succeed. @returns the body of the response. */
    read: async <T>(path: string, sent?: Sent, services?: TestServices['services']): Promise<T> => {
      const response = await admin(path, sent, services);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    /** Returns headers with the session of the admin. */
    headers,
    /** Signs the admin in again, after the session has expired. */
    renewSession: () => (session = signedInAdmin(site.services)),
    /** Returns headers with a new session of another admin. */
    colleague: (email = 'b@firm.example') => signedInAdmin(site.services, email),
    /** Creates the first admin, with the password of {@link owner}. */
    addOwner,
    /** Signs in with the password of {@link owner}. */
    signIn: (changes: Sent = {}) => ask('/api/login', { json: owner, ...changes }),
  };
}
