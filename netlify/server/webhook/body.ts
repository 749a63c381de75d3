import type { ChatMessage } from './chat-message.ts';

/**
 * Returns the JSON for a webhook: `text` for Slack and similar chats, a card in `attachments` for Microsoft Teams (the
 * workflow 'When a Teams webhook request is received' accepts only cards), and the fields of the message for other
 * automation.
 * @param url the webhook's URL. In Slack `attachments` has another meaning, so Slack gets its own options instead.
 */
export function webhookBody(message: ChatMessage, url: string): object {
  const { title, ...fields } = message;
  const separator = message.words === undefined ? ' ' : '\n';
  const body = { text: `${title}${separator}${lineOf(message, neutral)}\n${message.adminUrl}`, ...fields };
  return isSlack(url) ? { ...body, ...slackOptions } : { ...body, ...teamsMessage(message) };
}

const isSlack = (url: string): boolean => /(^|\.)slack(-gov)?\.com$/.test(new URL(url).hostname);

/** Turns off formatting and link previews, because a visitor can enter formatting or a link as the name. */
const slackOptions = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** Returns the message's `words` or, without words, `7K3M-9QXD: Dana Whitfield, Whitfield Foods (Project Recovery)`. */
function lineOf(
  { reference = '', name, company, service, position, words }: ChatMessage,
  write: (text: string) => string,
): string {
  if (words !== undefined) return write(words);
  const who = [name, company].filter((part) => part !== undefined).map(write);
  const what = service ?? position;
  return `${reference}: ${who.join(', ')}${what ? ` (${write(what)})` : ''}`;
}

/**
 * Makes a visitor's words plain text. Slack requires entities for these three characters and no others. Some chats
 * notify everyone for `@channel`, so a word joiner follows each `@`.
 */
function neutral(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=\S)/g, '@\u2060');
}

/**
 * Returns a Teams card with `TextRun` elements for all text. A `TextBlock` would interpret Markdown, and functions such
 * as `{{DATE(…)}}`, in a visitor's words.
 */
function teamsMessage(message: ChatMessage): object {
  const run = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [run(message.title, { weight: 'Bolder' }), run(lineOf(message, (text) => text))],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.adminUrl }],
        },
      },
    ],
  };
}
