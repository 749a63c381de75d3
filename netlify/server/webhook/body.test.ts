import { expect, test } from 'vitest';
import { webhookBody } from './body.ts';

const notice = {
  kind: 'inquiry',
  title: 'New inquiry',
  reference: '7K3M-9QXD',
  name: '**[x](https://evil.example)**',
  receivedAt: '2026-03-02T18:30:00.000Z',
  adminUrl: 'http://www.firm.example/admin?submission=1',
} as const;

test('A visitor’s text is plain text without Markdown in a card for Teams', () => {
  const body = webhookBody(notice, 'https://x.environment.api.powerplatform.com/workflows/1') as {
    type: string;
    attachments: { contentType: string; content: { body: { type: string; inlines: { text: string }[] }[] } }[];
  };
  expect(body.type).toBe('message');
  const [card] = body.attachments;
  expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(card?.content.body.map(({ type }) => type)).toEqual(['RichTextBlock', 'RichTextBlock']);
  expect(card?.content.body[1]?.inlines[0]?.text).toBe('7K3M-9QXD: **[x](https://evil.example)**');
});

test('A visitor’s text has neither formatting nor previews in Slack, which gets no card', () => {
  const body = webhookBody(notice, 'https://hooks.slack.com/services/T/B/x');
  expect(body).toMatchObject({ mrkdwn: false, unfurl_links: false, unfurl_media: false, name: notice.name });
  expect(body).not.toHaveProperty('attachments');
  expect(webhookBody(notice, 'https://notslack.com/x')).toHaveProperty('attachments');
});
