import type { Transporter } from 'nodemailer';
import { site } from '../../../src/site.config.ts';
import type { Env } from '../env.ts';
import type { Message } from './messages.ts';

interface Envelope {
  readonly to: string;
  readonly replyTo: { name: string; address: string } | string;
  /** Without angle brackets. Every try of an email has the same id, so a mail server can drop duplicates. */
  readonly messageId: string;
  /** Ends the try. */
  readonly signal?: AbortSignal;
}

export interface Mailer {
  /** False without `SMTP_URL`: nothing is sent, and the outbox waits. */
  readonly configured: boolean;
  /** Receives emails about inquiries. */
  readonly firmAddress: string;
  /** Receives emails about applications. */
  readonly hrAddress: string;
  /** @returns the mail server's answer. @throws if the server does not accept the email. */
  send(message: Message, envelope: Envelope): Promise<string>;
  /** Connects and signs in without sending anything. @throws if that fails. */
  verify(): Promise<void>;
  /** Closes the connections to the mail server. */
  close(): void;
}

/** For each step of a connection, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Sends email over SMTP. The library is loaded for the first email.
 * @param patienceMs the time limit of one email, for servers that answer slowly and never finish.
 */
export function mailer(env: Env, { patienceMs = 60_000 } = {}): Mailer {
  const from = senderOf(env.MAIL_FROM ?? '');
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const url = new URL(env.SMTP_URL ?? '');
    const name = greetingName(env.SITE_URL, from.address);
    return createTransport({
      host: bareHost(url.hostname),
      port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
      secure: url.protocol === 'smtps:',
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      ...(name && { name }),
      // A mail server on the same machine usually has a self-signed certificate, and the connection cannot be intercepted.
      ...(isLoopback(url.hostname) && { tls: { rejectUnauthorized: false } }),
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
    firmAddress: env.CONTACT_EMAIL ?? site.email,
    hrAddress: env.HR_EMAIL ?? site.hrEmail,
    async send(message, { to, replyTo, messageId, signal }) {
      transport ??= open();
      const sender = await transport;
      const began = performance.now();
      const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])]);
      const sending = sender.sendMail({
        from,
        to,
        replyTo,
        subject: message.subject,
        text: message.text,
        messageId: `<${messageId}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: patience,
      }) as Promise<{ response: string }>;
      const { response } = await sending.catch((error: unknown) => {
        if (!patience.aborted) throw error;
        throw new Error(`no answer within ${((performance.now() - began) / 1_000).toFixed(1)} s`, { cause: error });
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

/** Reads `Name <address>` or an address. */
export function senderOf(mailFrom: string): { name: string; address: string } {
  const named = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+)>\s*$/.exec(mailFrom);
  return named ? { name: named[1] ?? '', address: named[2] ?? '' } : { name: '', address: mailFrom.trim() };
}

/**
 * The name that the site greets a mail server with (EHLO): its own host, else the domain that it sends from. A greeting with
 * a bare IP address counts against a message in spam filters.
 */
function greetingName(siteUrl: string | undefined, address: string): string | undefined {
  const host = siteUrl === undefined ? '' : new URL(siteUrl).hostname;
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return [host, domain].find((name) => /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.test(name));
}

/** An IPv6 address without its brackets. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a mail server runs on this machine. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}
