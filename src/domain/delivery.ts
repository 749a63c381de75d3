import * as z from 'zod/mini';

/**
 * The state of an email, or of a message to the firm's chat.
 * - `none`: there is no message (an inquiry in quarantine; a chat without a webhook).
 * - `waiting`: in the outbox and not tried yet, or no mail server is configured.
 * - `retrying`: failed at least once and will be tried again.
 * - `sent`: accepted by the mail server or the webhook.
 * - `skipped`: not sent on purpose. `error` has the reason.
 * - `failed`: refused permanently, or failed for a day. 'Send again' starts a new day of tries.
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
