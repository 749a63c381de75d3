import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import process from 'node:process';
import { mailer, senderOf } from '../netlify/server/mail/mailer.ts';
import type { Env } from '../netlify/server/env.ts';
import { within } from '../netlify/server/time/within.ts';
import { isLoopback } from './requests/addresses.ts';

/** The checks that both `npm start` and `npm run doctor` make. */

type Verdict = 'ok' | 'warning' | 'wrong';
/** The result of a check, and a sentence for the owner. */
export type Finding = readonly [verdict: Verdict, words: string];

/** Time limit for the response of a server, in milliseconds. */
const patienceMs = 5_000;

/** Returns a warning if other machines can connect to the server and `TRUSTED_PROXIES` is not set; otherwise null. */
export function listenWarning({ HOST, TRUSTED_PROXIES }: Env): string | null {
  if (isLoopback(HOST) || TRUSTED_PROXIES) return null;
  return (
    `HOST=${HOST} accepts connections from other machines. Behind a proxy all visitors then share one address and ` +
    'one rate limit. Set TRUSTED_PROXIES to the address of the proxy, or HOST=127.0.0.1 if the proxy runs on this machine.'
  );
}

/** Rejects if the port is in use. */
export async function checkPort({ PORT, HOST }: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/**
 * Returns a warning if the administrator of the machine uses the data folder of another account; otherwise null. That
 * account could not change the files that root creates there.
 */
export async function ownerWarning({ DATA_DIR }: Env): Promise<string | null> {
  const owner = (await stat(DATA_DIR).catch(() => null))?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return null;
  return `You are root, but ${DATA_DIR} belongs to the account with the number ${owner}. Run this command as that account: sudo -u '#${owner}' npm …`;
}

/** Connects to the mail server and signs in, without sending an email. */
export async function checkMail(env: Env): Promise<Finding[]> {
  const { SMTP_URL, MAIL_FROM = '' } = env;
  const unset =
    'SMTP_URL is not set, so no email is sent. The site stores inquiries, and you can read them in the admin area.';
  if (SMTP_URL === undefined) return [['warning', unset]];
  const { protocol, port, host } = new URL(SMTP_URL);
  const findings: Finding[] = [];
  const usual = { 465: 'smtps:', 587: 'smtp:' }[port] ?? protocol;
  if (protocol !== usual) {
    findings.push(['warning', `Port ${port} usually needs SMTP_URL to begin with ${usual}//, not ${protocol}//.`]);
  }
  if (!/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(senderOf(MAIL_FROM).address)) {
    const advice = 'Write Name <name@example.com>.';
    findings.push(['warning', `MAIL_FROM does not look like an email address: ${MAIL_FROM}. ${advice}`]);
  }
  const probe = mailer(env);
  try {
    await within(probe.verify(), patienceMs);
    const advice = 'Send a test email under Settings > Site status.';
    findings.push(['ok', `The mail server ${host} accepts the sign-in. ${advice}`]);
  } catch (error) {
    const advice = 'Check SMTP_URL. The site stores all emails and keeps trying.';
    findings.push(['wrong', `The mail server ${host} cannot be used: ${reasonOf(error)}. ${advice}`]);
  } finally {
    probe.close();
  }
  return findings;
}

/** Connects to the team chat without posting a message. */
export async function checkWebhook({ NOTIFY_WEBHOOK_URL }: Env): Promise<Finding[]> {
  if (NOTIFY_WEBHOOK_URL === undefined) return [];
  // The URL is a secret, so only its host is printed.
  const { host } = new URL(NOTIFY_WEBHOOK_URL);
  try {
    const { status } = await fetch(NOTIFY_WEBHOOK_URL, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) });
    // A service may refuse a request that posts nothing, with 400, 404 or 405.
    if (status >= 500) throw new Error(`it answers ${status}`);
    return [['ok', `The team chat at ${host} answers. Send a test message under Settings > Site status.`]];
  } catch (error) {
    return [['wrong', `The team chat at ${host} cannot be used: ${reasonOf(error)}. Check NOTIFY_WEBHOOK_URL.`]];
  }
}

/** Returns the message of an error's innermost cause, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message.split('\n', 1)[0]?.replace(/\.$/, '') ?? error.name;
}

/** Returns the URL at which this machine reaches the site without the proxy. */
export function ownUrl({ HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): string {
  // Clients cannot connect to the address that means "all network interfaces" on every system.
  const host = HOST.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1');
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/** Asks a site how it is. @returns undefined if the answer is not a health report. */
export async function healthAt(origin: string): Promise<string | undefined> {
  const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
  const { status } = (await answer.json().catch(() => ({}))) as { status?: unknown };
  return typeof status === 'string' ? status : undefined;
}
