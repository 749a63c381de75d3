import type { Transporter } from 'nodemailer';
import { site } from '../../../src/site.config.ts';
import type { Env } from '../env.ts';
import { type Email, emailHtml, emailText } from './template.ts';

interface Envelope {
  /** Every attempt to send an email uses the same id, so a mail server can drop duplicates. */
  readonly id: string;
  readonly to: string;
  /** By default, replies go to `firmAddress`. */
  readonly replyTo?: { name: string; address: string } | string;
  readonly signal?: AbortSignal;
}

export interface Mailer {
  /** False without `SMTP_URL`. Email is not sent then, but waits in the outbox. */
  readonly configured: boolean;
  /** Receives emails about inquiries. */
  readonly firmAddress: string;
  /** Receives emails about job applications. */
  readonly hrAddress: string;
  /** Sends an email. @returns the mail server's reply. @throws if the server does not accept the email. */
  send(email: Email, envelope: Envelope): Promise<string>;
  /** Connects and signs in without sending anything. @throws if that fails. */
  verify(): Promise<void>;
  close(): void;
}

/** The time limit for each step of a connection, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Creates a mailer that sends over SMTP. The SMTP library is loaded for the first email.
 * @param patienceMs the time limit for one email, because a server may keep responding slowly without ever finishing.
 */
export function mailer(env: Env, { patienceMs = 60_000 } = {}): Mailer {
  const from = senderOf(env.MAIL_FROM ?? '');
  const firmAddress = env.CONTACT_EMAIL ?? site.email;
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const url = new URL(env.SMTP_URL ?? '');
    const name = greetingName(env.SITE_URL, from.address);
    return createTransport({
      // An IPv6 address has brackets only in a URL.
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
      secure: url.protocol === 'smtps:',
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      ...(name && { name }),
      // A mail server on the same machine usually has a self-signed certificate, and the connection cannot be
      // intercepted.
      ...(/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname) && { tls: { rejectUnauthorized: false } }),
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    configured: env.SMTP_URL !== undefined,
    firmAddress,
    hrAddress: env.HR_EMAIL ?? site.hrEmail,
    async send(email, { id, to, replyTo = firmAddress, signal }) {
      transport ??= open();
      const sender = await transport;
      const began = performance.now();
      const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])]);
      const sending = sender.sendMail({
        from,
        to,
        replyTo: typeof replyTo === 'string' ? replyTo : { ...replyTo, name: plain(replyTo.name) },
        subject: plain(email.subject),
        text: emailText(email),
        html: emailHtml(email),
        messageId: `<${id}@${new URL(env.SITE_URL ?? site.url).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: patience,
      }) as Promise<{ response: string }>;
      const { response } = await sending.catch((error: unknown) => {
        if (!patience.aborted) throw error;
        throw new Error(`no response within ${((performance.now() - began) / 1_000).toFixed(1)} s`, { cause: error });
      });
      return response;
    },
    async verify() {
      transport ??= open();
      await (await transport).verify();
    },
    close() {
      void transport?.then((open) => open.close());
      transport = undefined;
    },
  };
}

/**
 * Returns text for a header. A word joiner separates the characters that begin an encoded word (RFC 2047), because mail
 * programs would decode a visitor's text that looks like one.
 */
const plain = (text: string): string => text.replaceAll('=?', '=\u2060?');

/** Parses a sender, which is `Name <email>` or an email address. */
export function senderOf(mailFrom: string): { name: string; address: string } {
  const sender = mailFrom.trim();
  const [, name = '', address = sender] = /^([^<>]*)<([^<>\s]+)>$/.exec(sender) ?? [];
  return { name: name.trim().replaceAll(/^"|"$/g, ''), address };
}

/**
 * Returns the name for the SMTP greeting (EHLO): the site's host name or, without a site URL, the domain of the sender.
 * Spam filters treat a greeting with an IP address as suspicious.
 */
function greetingName(siteUrl: string | undefined, address: string): string | undefined {
  const host = siteUrl === undefined ? '' : new URL(siteUrl).hostname;
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return [host, domain].find((name) => /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.test(name));
}

/** The meaning of an error from an attempt to send an email. */
interface MailRefusal {
  /** The server will never accept this email for this recipient. */
  readonly permanent: boolean;
  /** The server works but refused the recipient, temporarily or permanently. */
  readonly ofRecipient: boolean;
  /** The server could not be reached, or did not accept the sign-in. */
  readonly unreachable: boolean;
}

/** SMTP reply codes for a missing or refused sign-in. The owner must correct the configuration. */
const authCodes = [530, 534, 535, 538];

interface MailerError {
  readonly code?: string;
  /** The SMTP command that failed; `CONN` before and between commands. */
  readonly command?: string;
  readonly responseCode?: number;
  /** The system call that failed, for socket errors. */
  readonly syscall?: string;
  readonly timeoutType?: string;
}

/** Interprets an error of nodemailer. Any other error counts as temporary. */
export function refusalOf(error: unknown): MailRefusal {
  const { code, command, responseCode, syscall, timeoutType } = error as MailerError;
  const answered = typeof responseCode === 'number' && responseCode >= 400 && !authCodes.includes(responseCode);
  const ofRecipient = answered && command === 'RCPT TO';
  const permanent = answered && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  const notConnected =
    (code === 'ESOCKET' && syscall === 'connect') || (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT');
  return { permanent, ofRecipient, unreachable: code === 'EAUTH' || code === 'EDNS' || notConnected };
}
