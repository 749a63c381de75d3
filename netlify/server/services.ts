import { getStore } from '@netlify/blobs';
import type { Context } from '@netlify/functions';
import { site } from '../../src/site.config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import type { Env } from './env.ts';
import { mailer, type Mailer } from './mail/mailer.ts';
import { type BlobStore, lentPlatform } from './platform.ts';
import { acknowledgementStore } from './stores/acknowledgements.ts';
import { activityStore } from './stores/activity.ts';
import { adminStore } from './stores/admins.ts';
import { anonymousByteStore } from './stores/anonymous-bytes.ts';
import { type NewApplication, applicationStore } from './stores/applications.ts';
import { clockStore } from './stores/clock.ts';
import { erasureStore } from './stores/erasures.ts';
import { deviceStore } from './stores/devices.ts';
import { faultStore } from './stores/faults.ts';
import { formDraftStore } from './stores/form-drafts.ts';
import { identityStore } from './stores/identities.ts';
import { type NewInquiry, inquiryStore } from './stores/inquiries.ts';
import { jobStore } from './stores/jobs.ts';
import { logoStore } from './stores/logo.ts';
import { machineStore } from './stores/machines.ts';
import { mediaStore } from './stores/media.ts';
import { noticeStore } from './stores/notices.ts';
import { outboxStore } from './stores/outbox.ts';
import { passkeyStore } from './stores/passkeys.ts';
import { policyReportStore } from './stores/policy-reports.ts';
import { postDraftStore } from './stores/post-drafts.ts';
import { postVersionStore } from './stores/post-versions.ts';
import { postStore } from './stores/posts.ts';
import { resumeStore } from './stores/resumes.ts';
import { searchWordStore } from './stores/search-words.ts';
import { sectionStore } from './stores/sections.ts';
import { sentinelStore } from './stores/sentinel.ts';
import { sessionStore } from './stores/sessions.ts';
import { shareLinkStore } from './stores/share-links.ts';
import { signInAttemptStore } from './stores/sign-in-attempts.ts';
import { spoolStore } from './stores/spool.ts';
import type { Notices } from './stores/submissions.ts';
import { uploadStore } from './stores/uploads.ts';
import { type Webhook, webhook } from './webhook/webhook.ts';

/** Everything that a route works with; tests hand in their own. */
export interface Services {
  readonly env: Env;
  readonly database: Database;
  readonly stores: Stores;
  readonly mailer: Mailer;
  readonly webhook: Webhook;
  /** Opens a named blob store. */
  readonly blobs: (name: string) => BlobStore;
  readonly now: () => Date;
  /** Free space of the disk that holds the data, in bytes; null where there is no such disk. */
  readonly freeBytes: () => Promise<number | null>;
}

type Stores = ReturnType<typeof storesOf>;

/** One store a noun, all on the same database and blobs. */
function storesOf(database: Database, blobs: (name: string) => BlobStore, notices: Notices) {
  return {
    acknowledgements: acknowledgementStore(database),
    activity: activityStore(database),
    admins: adminStore(database),
    anonymousBytes: anonymousByteStore(database),
    applications: applicationStore(database, notices, site.applicationsKeptYears),
    applicationSpool: spoolStore<NewApplication>(() => blobs('spool'), 'applications'),
    clock: clockStore(database),
    erasures: erasureStore(database, () => blobs('erasures')),
    devices: deviceStore(database),
    faults: faultStore(database),
    formDrafts: formDraftStore(database),
    identities: identityStore(database),
    inquiries: inquiryStore(database, notices),
    jobs: jobStore(database),
    logo: logoStore(database),
    machines: machineStore(database),
    media: mediaStore(database, () => blobs('media')),
    notices: noticeStore(database),
    outbox: outboxStore(database),
    passkeys: passkeyStore(database),
    policyReports: policyReportStore(database),
    postDrafts: postDraftStore(database),
    posts: postStore(database),
    postVersions: postVersionStore(database),
    resumes: resumeStore(database, () => blobs('resumes')),
    searchWords: searchWordStore(database),
    sections: sectionStore(database),
    sentinel: sentinelStore(database),
    sessions: sessionStore(database),
    shareLinks: shareLinkStore(database),
    signInAttempts: signInAttemptStore(database),
    spool: spoolStore<NewInquiry>(() => blobs('spool'), 'inquiries'),
    uploads: uploadStore(database, () => blobs('uploads')),
  };
}

/** Services over a given environment, database and blobs. */
export function servicesOf(
  env: Env,
  database: Database,
  blobs: (name: string) => BlobStore,
  now: () => Date = () => new Date(),
  freeBytes: Services['freeBytes'] = async () => null,
): Services {
  const hook = webhook(env);
  const stores = storesOf(database, blobs, { webhook: hook.configured });
  return { env, database, blobs, now, freeBytes, stores, mailer: mailer(env), webhook: hook };
}

/** Netlify's blob stores belong to the site as a whole, so a deploy that is not production has stores with other names. */
function blobPrefix(context: string): string {
  return `preview-${context
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 32)}-`;
}

let made: Promise<Services> | undefined;

/**
 * The process's own services, made at the first call: from what the host lends, else from what Netlify gives.
 * @throws {EnvError} where the environment is not complete.
 */
export function services(context: Pick<Context, 'deploy'>): Promise<Services> {
  made ??= (async () => {
    const { env, database } = await openDatabase(context);
    const prefix = env.deployment === 'production' ? '' : blobPrefix(context.deploy.context);
    const open =
      lentPlatform()?.openBlobStore ?? ((name: string) => getStore({ name: prefix + name, consistency: 'strong' }));
    return servicesOf(env, database, open, undefined, lentPlatform()?.freeBytes);
  })().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}
