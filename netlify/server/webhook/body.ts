import type { Notice } from './notice.ts';

/**
 * The JSON that a webhook gets: `text` for chats that show a text (Slack's incoming webhooks and those made like them),
 * a card in `attachments` for Microsoft Teams (a workflow 'When a Teams webhook request is received' takes cards alone), and the
 * notice's own fields for a flow that makes something else of it.
 * @param url of the webhook. To Slack `attachments` means something else, so it gets its own options in their place.
 */
export function webhookBody(notice: Notice, url: string): object {
  const { title, ...fields } = notice;
  const body = { text: `${title} ${lineOf(notice, neutral)}\n${notice.adminUrl}`, ...fields };
  return isSlack(url) ? { ...body, ...slackOptions } : { ...body, ...teamsMessage(notice) };
}

const isSlack = (url: string): boolean => /(^|\.)slack(-gov)?\.com$/.test(new URL(url).hostname);

/** Without formatting, and without a preview of an address that a visitor gave as a name. */
const slackOptions = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** `7K3M-9QXD: Dana Whitfield, Whitfield Foods (Project Recovery)` */
function lineOf(
  { reference = '', name, company, service, position, words }: Notice,
  write: (text: string) => string,
): string {
  if (words !== undefined) return write(words);
  const who = [name, company].filter((part) => part !== undefined).map(write);
  const what = service ?? position;
  return `${reference}: ${who.join(', ')}${what ? ` (${write(what)})` : ''}`;
}

/**
 * A visitor's words as plain text: Slack's control characters as entities (its documentation names these three and no
 * others), and a word joiner after each `@`, since some chats call everybody at a bare `@channel`.
 */
function neutral(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=\S)/g, '@\u2060');
}

/** Runs of text and not text blocks: those read Markdown, and functions in double braces. */
function teamsMessage(notice: Notice): object {
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
          body: [run(notice.title, { weight: 'Bolder' }), run(lineOf(notice, (text) => text))],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: notice.adminUrl }],
        },
      },
    ],
  };
}
