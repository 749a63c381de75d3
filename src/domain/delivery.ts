import * as z from 'zod/mini';

/**
 * The delivery state of an email, or of a message to the firm's chat.
 * - `none`: there is no message, because the inquiry is in quarantine or the chat has no webhook.
 * - `waiting`: in the outbox and not tried yet, or no mail server is configured.
 * - `retrying`: failed at least once, and the site will try again.
 * - `sent`: accepted by the mail server or the webhook.
 * - `skipped`: not sent on purpose. `error` has the reason.
 * - `failed`: the site stopped trying. The button "Send again" starts another day of tries.
 */
const deliveryStatus = z.enum(['none', 'waiting', 'retrying', 'sent', 'skipped', 'failed']);

export const deliveryState = z.object({
  status: deliveryStatus,
  /** When the message was sent, or when the next try is due; ISO 8601, UTC. */
  at: z.nullable(z.string()),
  /** The last error from the mail server or the webhook, shown to admins. */
  error: z.nullable(z.string()),
});

export type DeliveryState = z.infer<typeof deliveryState>;
