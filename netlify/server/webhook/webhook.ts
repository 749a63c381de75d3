import { STATUS_CODES } from 'node:http';
import type { Env } from '../env.ts';
import { Refusal } from '../http/refusal.ts';
import { webhookBody } from './body.ts';
import type { Notice } from './notice.ts';

export interface Webhook {
  /** False without `NOTIFY_WEBHOOK_URL`. No message is stored or sent then. */
  readonly configured: boolean;
  /**
   * @param signal ends the exchange.
   * @param key the same for every try of one message, so a receiver can drop duplicates.
   * @returns the answer, in words that may be shown.
   * @throws with the reason if the message is not accepted. The reason never contains the URL, which is a secret.
   */
  post(notice: Notice, key: string, signal?: AbortSignal): Promise<string>;
}

/** Refuses a test message without a webhook. */
export const noWebhook = () =>
  new Refusal('conflict', 'No webhook is set up: NOTIFY_WEBHOOK_URL is missing in the environment.');

/** Bytes of a refusal that are read. */
const answerBytes = 1_024;

/** Posts to the address of the environment. @param timeoutMs for the whole exchange. */
export function webhook(env: Env, { timeoutMs = 10_000 } = {}): Webhook {
  const url = env.NOTIFY_WEBHOOK_URL;
  return {
    configured: url !== undefined,
    async post(notice, key, signal) {
      if (url === undefined) throw noWebhook();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(webhookBody(notice, url)),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      }).catch((error: unknown) => {
        // The reason's own words may hold the address.
        throw new Error(reasonOf(error, timeoutMs));
      });
      const { status } = response;
      const answer = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
      if (response.ok || (status >= 300 && status < 400)) {
        await response.body?.cancel();
        if (response.ok) return answer;
        throw new Error(`${answer}, a redirect, which is not followed`);
      }
      const code = codeIn(await beginningOf(response));
      throw new Error(answer + (code && `: ${code}`));
    },
  };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return `not reached${code && ` (${code})`}`;
}

/** Slack says by a word what is wrong (`no_service`). Anything longer may repeat the address that was asked for. */
function codeIn(answer: string): string {
  const code = answer.trim();
  return /^[a-z_]{1,40}$/.test(code) ? code : '';
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < answerBytes) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What was answered is known; its words are not needed.
  }
  await reader.cancel().catch(() => undefined);
  return text;
}
