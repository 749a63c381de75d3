import { site } from '../../../src/site.config.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../refusal.ts';
import { type Email, emailHtml, emailText } from './template.ts';

interface Envelope {
  /** Every attempt to send an email uses the same id, so a mail server can drop duplicates. */
  readonly id: string;
  readonly to: string;
  /** By default, replies go to `firmAddress`. */
  readonly replyTo?: { name: string; address: string } | string;
  readonly signal?: AbortSignal;
}

/** The time limit for each step of a connection, in milliseconds. */
const timeoutMs = 10_000;

/** Creates the refusal of an email that an admin sends if no mail server is set up. */
export const noMailServer = (): Refusal =>
  new Refusal(
    'conflict',
    'No mail server is set up. Ask the person who manages the server to set SMTP_URL and MAIL_FROM and restart the site.',
  );

export type Mailer = ReturnType<typeof mailer>;

/**
 * Creates a mailer that sends over SMTP. The SMTP library is loaded for the first email.
 * @param patienceMs the time limit for one email, because a server may keep responding slowly without ever finishing.
 */
export function mailer({ SMTP_URL, SITE_URL, MAIL_FROM, CONTACT_EMAIL, HR_EMAIL }: Env, { patienceMs = 60_000 } = {}) {
  const from = senderOf(MAIL_FROM ?? '');
  const firmAddress = CONTACT_EMAIL ?? site.email;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const name = greetingName(SITE_URL, from.address);
    return createTransport({
      url: SMTP_URL,
      ...(name && { name }),
      // A mail server on the same machine usually has a self-signed certificate, and the connection cannot be
      // intercepted.
      tls: { rejectUnauthorized: !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(SMTP_URL ?? '').hostname) },
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof open> | undefined;
  return {
    /** False without `SMTP_URL`. Email is not sent then, but waits in the outbox. */
    configured: SMTP_URL !== undefined,
    /** Receives emails about inquiries. */
    firmAddress,
    /** Receives emails about job applications. */
    hrAddress: HR_EMAIL ?? site.hrEmail,

    /** Sends an email. @returns the mail server's reply. @throws if the server does not accept the email. */
    async send(email: Email, { id, to, replyTo = firmAddress, signal }: Envelope): Promise<string> {
      const began = performance.now();
      const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])]);
      const sending = (await (transport ??= open())).sendMail({
        from,
        to,
        replyTo: typeof replyTo === 'string' ? replyTo : { ...replyTo, name: plain(replyTo.name) },
        subject: plain(email.subject),
        text: emailText(email),
        html: emailHtml(email),
        messageId: `<${id}@${new URL(SITE_URL ?? site.url).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: patience,
      });
      const { response } = await sending.catch((error: unknown) => {
        if (!patience.aborted) throw error;
        throw new Error(`no response within ${((performance.now() - began) / 1_000).toFixed(1)} s`, { cause: error });
      });
      return response;
    },

    /** Connects and signs in without sending anything. @throws if that fails. */
    async verify(): Promise<void> {
      await (await (transport ??= open())).verify();
    },

    close(): void {
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
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const names = [siteUrl === undefined ? '' : new URL(siteUrl).hostname, domain];
  return names.find((name) => /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.test(name));
}

/** SMTP reply codes for a missing or refused sign-in. The owner must correct the configuration. */
const authCodes = [530, 534, 535, 538];

/** The properties of nodemailer's errors. `command` is `CONN` before and between commands. */
type MailerError = Partial<Record<'code' | 'command' | 'syscall' | 'timeoutType', string>> & { responseCode?: number };

/** Interprets an error from an attempt to send an email. Any other error counts as temporary. */
export function refusalOf(error: unknown) {
  const { code, command, responseCode = 0, syscall, timeoutType } = error as MailerError;
  const answered = responseCode >= 400 && !authCodes.includes(responseCode);
  const notConnected =
    (code === 'ESOCKET' && syscall === 'connect') || (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT');
  return {
    /** The server will never accept this email for this recipient. */
    permanent: answered && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'),
    /** The server works but refused the recipient, temporarily or permanently. */
    ofRecipient: answered && command === 'RCPT TO',
    /** The server could not be reached, or did not accept the sign-in. */
    unreachable: code === 'EAUTH' || code === 'EDNS' || notConnected,
  };
}
