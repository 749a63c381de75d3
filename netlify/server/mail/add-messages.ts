import { randomUUID } from 'node:crypto';
import { type Result, type Statement, sql } from '../db/database.ts';
import { logInfo } from '../log.ts';

/**
 * The recipient of a message. An email goes to the firm, to the sender of a submission, or to an admin. The team chat
 * gets a message through its webhook.
 */
export type Audience = 'firm' | 'sender' | 'admin' | 'webhook';

/** A delivery channel. Channels are delivered separately, so a slow channel does not delay the other one. */
export type Channel = 'mail' | 'webhook';

export interface NewMessage {
  readonly audience: Audience;
  /**
   * Who gets the message, for the limits: an admin's address, a visitor's mailbox, or the kind of submission for the
   * firm's mailboxes. Empty for the webhook.
   */
  readonly recipient: string;
  /** For an acknowledgment: its sender's network has sent few forms, so {@link acknowledgementsADay} does not count. */
  readonly quiet?: boolean;
  /** The text of a notice. The text of other messages is written from the submission when they are sent. */
  readonly subject?: string;
  readonly text?: string;
  /** Identifies a notice, which is stored once for each recipient. */
  readonly key?: string;
}

export const unsent = sql`status IN ('waiting', 'retrying')`;
const hour = 60 * 60_000;
export const timeAfter = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** The most messages to one recipient in an hour. Further ones are listed in one message an hour, the digest. */
export const singlesAnHour = 20;
/**
 * The most acknowledgments (confirmations to visitors who sent a form) in 24 hours, which limits the emails to strangers
 * that a flood of submissions can cause. The first two of a network in an hour are sent nevertheless, so a flood from
 * other networks cannot use up an honest sender's acknowledgment.
 */
export const acknowledgementsADay = 500;

const oneAnHour = 'Not sent, because each email address gets at most one acknowledgment an hour.';
const tooManyADay = `Not sent, because the limit of ${acknowledgementsADay} acknowledgments in 24 hours was reached.`;

/**
 * Returns a statement that adds messages to the outbox, within the limits of their recipients.
 * @param submission the id of the submission; null for notices.
 * @param at the time at which the messages are due; ISO 8601, UTC.
 * @param condition the SQL condition for adding them.
 */
export function addMessages(
  submission: string | null,
  messages: readonly NewMessage[],
  at: string,
  condition: Statement,
): Statement {
  const rows = messages.map((message) => ({ id: randomUUID(), quiet: false, subject: '', text: '', ...message }));
  const counted = (since: number) => sql`created_at BETWEEN ${timeAfter(at, -since)} AND ${at}`;
  return sql`
    WITH m AS MATERIALIZED (
      SELECT n.*,
        audience <> 'sender' AND EXISTS (SELECT 1 FROM outbox o WHERE o.audience = n.audience
          AND o.recipient = n.recipient AND ${counted(hour)} LIMIT 1 OFFSET ${singlesAnHour - 1}) AS digest,
        CASE WHEN audience <> 'sender' THEN NULL
          WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.audience = 'sender' AND o.recipient = n.recipient
            AND ${counted(hour)} AND status <> 'skipped') THEN ${oneAnHour}
          WHEN NOT quiet AND EXISTS (SELECT 1 FROM outbox o INDEXED BY outbox_acknowledged WHERE o.audience = 'sender'
            AND ${counted(24 * hour)} AND status <> 'skipped' LIMIT 1 OFFSET ${acknowledgementsADay - 1})
            THEN ${tooManyADay} END AS refusal
      FROM (
        SELECT value ->> 'id' AS id, value ->> 'audience' AS audience, value ->> 'recipient' AS recipient,
          value ->> 'subject' AS subject, value ->> 'text' AS text, value ->> 'key' AS key, value ->> 'quiet' AS quiet
        FROM json_each(${JSON.stringify(rows)})
      ) AS n
    )
    INSERT INTO outbox (id, submission, audience, recipient, subject, text, key, created_at, digest, due_at, status, error)
    SELECT id, ${submission}, audience, recipient, subject, text, key, ${at}, digest,
      iif(digest, coalesce((SELECT min(due_at) FROM outbox o WHERE ${unsent} AND digest = 1
        AND o.audience = m.audience AND o.recipient = m.recipient), ${timeAfter(at, hour)}), ${at}),
      iif(refusal IS NULL, 'waiting', 'skipped'), refusal
    FROM m
    WHERE ${condition}
    ON CONFLICT DO NOTHING
    RETURNING status`;
}

/**
 * Returns the statement that adds the messages about a submission if the statement before has changed a row.
 * @param hasWebhook whether the team chat gets a message, too.
 */
export function messagesAbout(
  { id, kind, email }: { readonly id: string; readonly kind: string; readonly email: string },
  { quiet, hasWebhook, at }: { readonly quiet: boolean; readonly hasWebhook: boolean; readonly at: string },
): Statement {
  const messages: NewMessage[] = [
    { audience: 'firm', recipient: kind },
    { audience: 'sender', recipient: mailboxOf(email), quiet },
  ];
  if (hasWebhook) messages.push({ audience: 'webhook', recipient: '' });
  return addMessages(id, messages, at, sql`changes() = 1`);
}

/**
 * Returns the mailbox of an email address as most providers deliver it: in lowercase, without a suffix after a plus
 * sign, and for Gmail without dots. Used only for comparisons.
 */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [mailbox = ''] = address.slice(0, at).toLowerCase().split('+', 1);
  const gmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return gmail ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}

/** Logs an acknowledgment that a limit has skipped. @param added the result of {@link addMessages}. */
export function logSkipped(submission: string, added: Result | undefined): void {
  if (added?.rows.some(({ status }) => status === 'skipped')) logInfo('acknowledgment skipped', { submission });
}
