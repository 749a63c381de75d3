import type { Context } from '@netlify/functions';
import { site } from '../../src/site.config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import type { Env } from './env.ts';
import { mailer, type Mailer } from './mail/mailer.ts';
import { type BlobStore, oncePerPlatform } from './platform.ts';
import { activityStore } from './activity/store.ts';
import { adminStore, identityStore, passkeyStore, sessionStore, signInTryStore } from './auth/store.ts';
import { anonymousByteStore } from './uploads/quotas.ts';
import { logoStore } from './logo/store.ts';
import { mediaStore } from './media/store.ts';
import { outboxStore } from './mail/outbox.ts';
import { recoveryCodeStore, setUpLinkStore } from './people/store.ts';
import { shareLinkStore } from './posts/share-links.ts';
import { postStore } from './posts/store.ts';
import { sectionStore } from './sections/store.ts';
import { runStore } from './status/run-store.ts';
import { erasureStore, resumeStore, spoolStore } from './submissions/blobs.ts';
import { submissionStore } from './submissions/store.ts';
import { unsavedStore } from './unsaved/store.ts';
import { uploadStore } from './uploads/store.ts';
import { type PasswordCost, type Passwords, fullCost, passwordsOf } from './auth/passwords.ts';
import { type Webhook, webhook } from './mail/webhook.ts';

/** The dependencies of the routes. Tests pass their own. */
export interface Services {
  readonly env: Env;
  /** The URL of the public site, for links in messages. */
  readonly siteUrl: string;
  readonly database: Database;
  readonly stores: ReturnType<typeof storesOf>;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  readonly webhook: Webhook;
  readonly blobs: (name: string) => BlobStore;
  readonly now: () => Date;
  /**
   * Returns the free space of the disk that stores the data, in bytes; null on Netlify, where there is no such disk.
   */
  readonly freeBytes: () => Promise<number | null>;
}

/** Creates all stores, on the same database and blob stores. */
function storesOf(
  env: Env,
  database: Database,
  blobs: (name: string) => BlobStore,
  hasWebhook: boolean,
  now: () => Date,
) {
  return {
    activity: activityStore(database),
    admins: adminStore(database),
    anonymousBytes: anonymousByteStore(database),
    erasures: erasureStore(database, () => blobs('erasures')),
    identities: identityStore(database),
    logo: logoStore(database),
    media: mediaStore(database, () => blobs('media')),
    outbox: outboxStore(database),
    passkeys: passkeyStore(database),
    posts: postStore(database),
    recoveryCodes: recoveryCodeStore(database),
    resumes: resumeStore(database, () => blobs('resumes')),
    runs: runStore(database),
    sections: sectionStore(database),
    sessions: sessionStore(database),
    setUpLinks: setUpLinkStore(database),
    shareLinks: shareLinkStore(database, { env, now }),
    signInTries: signInTryStore(database),
    spool: spoolStore(() => blobs('spool')),
    submissions: submissionStore(database, hasWebhook),
    unsaved: unsavedStore(database),
    uploads: uploadStore(database, () => blobs('uploads')),
  };
}

export function servicesOf(
  env: Env,
  database: Database,
  blobs: (name: string) => BlobStore,
  now: () => Date = () => new Date(),
  freeBytes: Services['freeBytes'] = async () => null,
  passwordCost: PasswordCost = fullCost,
): Services {
  const hook = webhook(env);
  const stores = storesOf(env, database, blobs, hook.configured, now);
  const passwords = passwordsOf(passwordCost);
  const siteUrl = env.SITE_URL ?? site.url;
  return { env, siteUrl, database, blobs, now, freeBytes, stores, passwords, mailer: mailer(env), webhook: hook };
}

/**
 * Opens Netlify's blob stores. All deploys share them, so only production uses stores without a prefix. The package is
 * loaded only when it is needed, because a self-hosted server then starts without reading its 170 files.
 */
async function netlifyBlobs({ deployment }: Env, context: string): Promise<(name: string) => BlobStore> {
  const { getStore } = await import('@netlify/blobs');
  const word = context.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const prefix = deployment === 'production' ? '' : `preview-${word.slice(0, 32)}-`;
  return (name) => getStore({ name: prefix + name, consistency: 'strong' });
}

/**
 * Returns the services of this process. The first call creates them from what the self-hosted server or Netlify
 * provides.
 * @throws {EnvError} if the environment is incomplete.
 */
export const services = oncePerPlatform(async (context: Pick<Context, 'deploy'>, platform): Promise<Services> => {
  const { env, database } = await openDatabase(context);
  const blobs = platform?.openBlobStore ?? (await netlifyBlobs(env, context.deploy.context));
  return servicesOf(env, database, blobs, undefined, platform?.freeBytes, platform?.passwordCost);
});
