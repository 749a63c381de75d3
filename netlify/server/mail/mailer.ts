import type { Transporter } from 'nodemailer';
import { site } from '../../../src/site.config.ts';
import type { Env } from '../env.ts';
import type { Message } from './messages.ts';

interface Envelope {
  readonly to: string;
  readonly replyTo: { name: string; address: string } | string;
  /** Without angle brackets; the same for every try of one mail, so that a mail server can drop a double. */
  readonly messageId: string;
}

export interface Mailer {
  /** False without `SMTP_URL`: nothing is sent, and the outbox waits. */
  readonly configured: boolean;
  /** Where mail about inquiries goes. */
  readonly firmAddress: string;
  /** Where mail about applications goes. */
  readonly hrAddress: string;
  /** @returns the mail server's answer. @throws where it does not take the mail. */
  send(message: Message, envelope: Envelope): Promise<string>;
  /** Closes the connections to the mail server. */
  close(): void;
}

const timeoutMs = 15_000;

/**
 * Sends over SMTP as the environment says. The library is loaded at the first mail.
 * @param patienceMs for one mail from first to last, also where a server says a word now and then and never comes to an end.
 */
export function mailer(env: Env, { patienceMs = 4 * 60_000 } = {}): Mailer {
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const url = new URL(env.SMTP_URL ?? '');
    return createTransport({
      host: url.hostname,
      port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
      secure: url.protocol === 'smtps:',
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
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
    async send(message, { to, replyTo, messageId }) {
      transport ??= open();
      const sender = await transport;
      const patience = AbortSignal.timeout(patienceMs);
      const sending = sender.sendMail({
        from: env.MAIL_FROM,
        to,
        replyTo,
        subject: message.subject,
        text: message.text,
        messageId: `<${messageId}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: patience,
      }) as Promise<{ response: string }>;
      const { response } = await sending.catch((error: unknown) => {
        throw patience.aborted ? new Error(`no answer within ${patienceMs / 1_000} s`, { cause: error }) : error;
      });
      return response;
    },
    close() {
      void transport?.then((open) => open.close());
      transport = undefined;
    },
  };
}
