import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '../../../src/domain/text/text.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../refusal.ts';

/** Creates the refusal of a test message if no webhook is set up. */
export const noWebhook = () =>
  new Refusal(
    'conflict',
    'No team chat is connected. Ask the person who manages the server to set NOTIFY_WEBHOOK_URL and restart the site.',
  );

export type Webhook = ReturnType<typeof webhook>;

/** Creates the client of `NOTIFY_WEBHOOK_URL`. @param timeoutMs the time limit for the whole exchange. */
export function webhook({ NOTIFY_WEBHOOK_URL: url }: Env, { timeoutMs = 10_000 } = {}) {
  return {
    /** False without `NOTIFY_WEBHOOK_URL`. No message is stored or sent then. */
    configured: url !== undefined,

    /**
     * Posts a text, whose last line is the URL of a page.
     * @param key the same for every attempt of one message, so a receiver can drop duplicates.
     * @returns the status of the response, such as `200 OK`.
     * @throws with the reason if the message is not accepted. The reason never contains the URL, which is a secret.
     */
    async post(text: string, key: string, signal?: AbortSignal): Promise<string> {
      if (url === undefined) throw noWebhook();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(bodyOf(text, url)),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      }).catch(({ name, cause }: Error) => {
        // The error's own message may contain the URL.
        if (name === 'TimeoutError') throw new Error(`no response within ${timeoutMs / 1_000} s`);
        const { code } = Object(cause) as { code?: string };
        throw new Error(`not reached${code ? ` (${code})` : ''}`);
      });
      const { status } = response;
      const answer = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
      const code = (await response.text().catch(() => '')).trim();
      if (response.ok) return answer;
      if (status >= 300 && status < 400) {
        throw new Error(`${answer}: the URL redirects to another URL. Set NOTIFY_WEBHOOK_URL to the final URL`);
      }
      // Slack explains an error in one word, such as `no_service`. A longer text may contain the URL.
      throw new Error(/^[a-z_]{1,40}$/.test(code) ? `${answer}: ${code}` : answer);
    },
  };
}

/**
 * Returns the JSON for a webhook: `text` for most chats, and a card for Microsoft Teams, whose workflows accept only
 * cards. A visitor may have entered formatting, a link or a mention, so all of them are turned off.
 */
function bodyOf(text: string, url: string): object {
  // Slack requires entities for three characters. A word joiner after each `@` prevents mentions.
  const plain = escapeHtml(text).replaceAll(/@(?=\S)/g, '@\u2060');
  if (/(^|\.)slack(-gov)?\.com$/.test(new URL(url).hostname)) {
    return { text: plain, mrkdwn: false, unfurl_links: false, unfurl_media: false };
  }
  // A `TextBlock` would interpret Markdown, and functions such as `{{DATE(…)}}`.
  const lines = text.split('\n');
  const actions = [{ type: 'Action.OpenUrl', title: 'Open', url: lines.pop() }];
  const body = lines.map((line) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] }));
  const content = { type: 'AdaptiveCard', version: '1.2', body, actions };
  return {
    text: plain,
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}
