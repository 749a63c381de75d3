import type { Env } from '../netlify/server/runtime/env.ts';
import { mailer, senderOf } from '../netlify/server/mail/mailer.ts';

/** Maximum time to wait for the mail server at start, in milliseconds. */
const patienceMs = 3_000;

/**
 * Returns warnings about email for the owner: email is off, a variable looks wrong, or the mail server refuses the
 * connection or the sign-in.
 */
export async function emailWarnings(env: Env): Promise<string[]> {
  if (env.SMTP_URL === undefined) {
    return [
      'Email: off, because SMTP_URL is not set. Inquiries and applications are stored and shown in the admin area.',
    ];
  }
  return [...typos(env.SMTP_URL, env.MAIL_FROM ?? ''), ...(await connectionProblem(env))];
}

function typos(smtpUrl: string, mailFrom: string): string[] {
  const { protocol, port } = new URL(smtpUrl);
  const { address } = senderOf(mailFrom);
  return [
    protocol === 'smtp:' &&
      port === '465' &&
      'Warning: port 465 usually needs SMTP_URL to begin with smtps://, not smtp://.',
    protocol === 'smtps:' &&
      port === '587' &&
      'Warning: port 587 usually needs SMTP_URL to begin with smtp://, not smtps://.',
    !/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(address) &&
      `Warning: MAIL_FROM does not look like an email address: ${mailFrom}. Write Name <name@example.com>.`,
  ].filter((warning) => warning !== false);
}

async function connectionProblem(env: Env): Promise<string[]> {
  const probe = mailer(env);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${patienceMs / 1_000} s`)), patienceMs);
  });
  try {
    await Promise.race([probe.verify(), late]);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `Warning: the mail server in SMTP_URL cannot be used: ${reason}. The site stores all emails and keeps trying.`,
    ];
  } finally {
    clearTimeout(timer);
    probe.close();
  }
}
