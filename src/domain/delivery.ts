import * as z from 'zod/mini';

/**
 * What became of one message, a mail or one to the firm's chat.
 * - `none`: none was meant to go out (an inquiry in quarantine; a chat without a webhook).
 * - `waiting`: in the outbox, not yet tried, or no mail server is configured.
 * - `retrying`: tried at least once; it will be tried again by itself.
 * - `sent`: the mail server, or the webhook, took it.
 * - `skipped`: not sent on purpose; the reason stands in `error`.
 * - `failed`: refused for good, or given up after a day of tries; 'Send again' starts anew.
 */
const deliveryStatus = z.enum(['none', 'waiting', 'retrying', 'sent', 'skipped', 'failed']);

export const deliveryState = z.object({
  status: deliveryStatus,
  /** When it was sent, or is tried next; ISO 8601, UTC. */
  at: z.nullable(z.string()),
  /** The mail server's last refusal, or what the webhook last answered, for the admin. */
  error: z.nullable(z.string()),
});

export type DeliveryState = z.infer<typeof deliveryState>;
