import { describe, expect, test } from 'vitest';
import { webhook } from '../../../netlify/server/mail/webhook.ts';
import type { InquiryReceipt, InquiryRecord } from '../../../src/domain/submissions/inquiry.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { webhookSecret } from '../../support/servers/webhook-server.ts';

const minute = 60_000;
const siteUrl = 'http://www.firm.example';
const site = useApi({ chat: true, variables: { SITE_URL: siteUrl } });
const { inquire: send, tick } = site;

const deliveryOf = async (id: string) =>
  (await site.read<InquiryRecord>(`/api/contact/submissions/${id}`)).delivery.webhook;
const healthNow = async (services = site.services) =>
  await (await site.ask('/api/health', { address: '127.0.0.1' }, services)).json();

describe('A submission in the inbox is posted to the chat', () => {
  test('once: the sender, the subject, and a link to it', async () => {
    const { id, reference } = await send();
    expect(site.chat.posts).toHaveLength(1);
    const [post] = site.chat.posts;
    expect(post?.headers['content-type']).toBe('application/json');
    const adminUrl = `${siteUrl}/admin?submission=${id}`;
    expect(post?.body.text).toBe(
      `New inquiry ${reference}: Dana Whitfield, Whitfield Foods (Project Recovery)\n${adminUrl}`,
    );
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent', error: null });
    await tick();
    expect(site.chat.posts).toHaveLength(1);
  });

  test('without the data that only the inbox can show', async () => {
    await send();
    expect((await site.apply()).status).toBe(201);
    expect(site.chat.posts.map(({ body }) => body.text)).toEqual([
      expect.stringMatching(/^New inquiry /),
      expect.stringMatching(/^New application \S+: Mara Quill \(NetSuite Developer\)\n/),
    ]);
    const told = JSON.stringify(site.chat.posts.map(({ body }) => body));
    for (const secret of ['go-live slipped', 'dana@', 'mara@', '555-0188', 'SuiteScript', '.pdf']) {
      expect(told).not.toContain(secret);
    }
  });

  test('not from quarantine, but once when it is released', async () => {
    const { id } = await send({ website: 'autofilled' });
    await tick();
    expect(site.chat.posts).toEqual([]);
    expect(await deliveryOf(id)).toEqual({ status: 'none', at: null, error: null });
    const move = (verb: string) => site.admin(`/api/contact/submissions/${id}/${verb}`, { method: 'POST' });
    await move('release');
    expect(site.chat.posts).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent' });
    for (const verb of ['quarantine', 'release', 'release']) await move(verb);
    expect(site.chat.posts).toHaveLength(1);
  });

  test('as soon as the chat accepts another one, without waiting for its own next try', async () => {
    site.chat.answer({ status: 500 });
    const { id } = await send();
    for (const passed of [1, 5, 15]) {
      site.advance(passed * minute);
      await tick();
    }
    takeLog();
    expect(await deliveryOf(id)).toMatchObject({ status: 'retrying' });
    site.chat.answer({ status: 200 });
    await send({ message: 'Another inquiry, after the chat is back.' });
    await tick();
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent' });
  });

  test('and not after it is erased', async () => {
    site.chat.answer({ status: 500 });
    const { id } = await send();
    takeLog();
    await site.services.stores.submissions.remove(id);
    site.chat.answer({ status: 200 });
    site.advance(minute);
    await tick();
    expect(site.chat.posts).toHaveLength(1);
  });
});

describe('A visitor’s text', () => {
  test('mentions no one and contains no links in Slack’s markup', async () => {
    await send({ fullName: '<!channel> @here', company: 'A & B <mailto:x|your bank>' });
    const text = site.chat.posts[0]?.body.text ?? '';
    expect(text).toContain('&lt;!channel&gt; @\u2060here, A &amp; B &lt;mailto:x|your bank&gt;');
    expect(text.replaceAll('&lt;', '').replaceAll('&gt;', '')).not.toMatch(/[<>]/);
  });

  test('is plain text without Markdown in a card for Teams', async () => {
    await send({ fullName: '**Dana** {{DATE(x)}}' });
    const [card] = site.chat.posts[0]?.body.attachments ?? [];
    expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(card?.content.body.map(({ type }) => type)).toEqual(['RichTextBlock']);
    expect(card?.content.body[0]?.inlines[0]?.text).toContain('**Dana** {{DATE(x)}}, Whitfield Foods');
    expect(card?.content.actions).toMatchObject([{ url: expect.stringContaining(`${siteUrl}/admin?submission=`) }]);
  });
});

describe('A webhook that does not accept a message', () => {
  test.for([
    ['fails', { status: 500 }, '500 Internal Server Error'],
    ['explains the error', { status: 404, body: 'no_service' }, '404 Not Found: no_service'],
    ['repeats its URL', { status: 404, body: `Cannot POST /services/${webhookSecret}` }, '404 Not Found'],
    ['sends a very long response', { status: 500, body: 'x'.repeat(5_000_000) }, '500 Internal Server Error'],
    [
      'leads elsewhere',
      { status: 307, headers: { location: '/elsewhere' } },
      '307 Temporary Redirect: the URL redirects to another URL. Set NOTIFY_WEBHOOK_URL to the final URL',
    ],
  ] as const)('but %s does not affect the visitor: it is tried again a minute later', async ([, answer, error]) => {
    site.chat.answer(answer);
    const { id } = await send();
    expect(await deliveryOf(id)).toMatchObject({ status: 'retrying', error });
    site.chat.answer({ status: 202 });
    site.advance(minute);
    await tick();
    expect(site.chat.posts).toHaveLength(2);
    expect(await deliveryOf(id)).toMatchObject({ status: 'sent', error: null });
    expect(new Set(site.chat.posts.map(({ path }) => path))).toEqual(new Set([`/services/${webhookSecret}`]));
    expect(new Set(site.chat.posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const log = takeLog().join('\n');
    expect(log).toMatch(/chat message not sent/);
    expect(log).not.toMatch(/whitfield|Dana|slipped|SECRET|127\.0\.0\.1/i);
  });

  test('is not waited for indefinitely', async () => {
    site.chat.answer(null);
    const hurried = { ...site.services, webhook: webhook(site.services.env, { timeoutMs: 200 }) };
    const { id } = await send({}, hurried);
    expect(await deliveryOf(id)).toMatchObject({ status: 'retrying', error: 'no response within 0.2 s' });
    expect(takeLog()).toHaveLength(1);
  });

  test('does not delay the email', async () => {
    const mail = await startMailServer();
    site.chat.answer(null);
    const variables = { NOTIFY_WEBHOOK_URL: site.chat.url, SMTP_URL: mail.url, MAIL_FROM: 'no-reply@firm.example' };
    const pending = send({}, site.anotherProcess({ variables }));
    await expect.poll(() => site.chat.posts.length).toBe(1);
    await mail.waitFor(({ subject }) => subject?.startsWith('New inquiry') === true);
    await site.chat.close();
    const { id } = await pending;
    expect(await deliveryOf(id)).toMatchObject({ status: 'retrying' });
    takeLog();
    await mail.close();
  });

  test('for a day gets no more attempts; health reports it, and “Send again” creates a new message', async () => {
    site.chat.answer({ status: 410, body: 'channel_is_archived' });
    const { id } = await send();
    site.advance(10 * minute);
    expect(await healthNow()).toMatchObject({
      status: 'degraded',
      mail: 'ok',
      webhook: expect.stringContaining('The team chat does not accept messages'),
    });
    for (let hour = 0; hour <= 26; hour += 1) {
      site.advance(60 * minute);
      await tick();
    }
    takeLog();
    expect(await deliveryOf(id)).toMatchObject({ status: 'failed', error: '410 Gone: channel_is_archived' });
    expect(await healthNow()).toMatchObject({
      status: 'degraded',
      webhook: expect.stringContaining('The team chat does not accept messages'),
    });
    site.chat.answer({ status: 200 });
    const again = await site.admin(`/api/contact/submissions/${id}/resend`, { json: { mail: 'webhook' } });
    expect(await again.json()).toMatchObject({ delivery: { webhook: { status: 'sent', error: null } } });
    site.advance(10_000);
    expect(await healthNow()).toMatchObject({ webhook: 'ok' });
    const keys = site.chat.posts.map((post) => post.headers['idempotency-key']);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});

describe('Without a webhook', () => {
  test('no message waits, and none is overdue', async () => {
    const silent = site.anotherProcess({ variables: {} });
    const { id } = await send({}, silent);
    await tick(silent);
    site.advance(30 * minute);
    await tick(silent);
    const rows = await site.rows('SELECT audience FROM outbox ORDER BY audience');
    expect(rows.map(({ audience }) => audience)).toEqual(['firm', 'sender']);
    expect(await healthNow(silent)).toMatchObject({ status: 'ok', webhook: 'ok' });
    const status = await (await site.admin('/api/settings/status', {}, silent)).json();
    expect(status.webhook).toMatchObject({ configured: false, resendable: 0, error: null });
    for (const [path, json] of [
      [`/api/contact/submissions/${id}/resend`, { mail: 'webhook' }],
      ['/api/settings/test-webhook', undefined],
    ] as const) {
      const refused = await site.admin(path, { method: 'POST', ...(json && { json }) }, silent);
      expect(refused.status).toBe(409);
      expect((await refused.json()).message).toContain('NOTIFY_WEBHOOK_URL');
    }
  });

  test('only submissions after it is set are posted', async () => {
    const silent = site.anotherProcess({ variables: {} });
    const early = { 'idempotency-key': 'early' };
    const before = await site.ask('/api/contact', { json: anInquiry(), headers: early }, silent);
    const { id } = (await before.json()) as InquiryReceipt;
    await site.ask('/api/contact', { json: anInquiry(), headers: early });
    await tick();
    expect(site.chat.posts).toEqual([]);
    const again = await site.admin(`/api/contact/submissions/${id}/resend`, { json: { mail: 'webhook' } });
    expect([again.status, (await again.json()).message]).toEqual([
      409,
      expect.stringContaining('before the team chat was connected'),
    ]);
    await send({ company: 'Later Inc' });
    expect(site.chat.posts.map(({ body }) => body.text)).toEqual([expect.stringContaining(', Later Inc (')]);
  });

  test('that was removed, waiting messages are deleted after two days', async () => {
    site.chat.answer({ status: 500 });
    await send();
    takeLog();
    const silent = site.anotherProcess({ variables: {} });
    for (let day = 0; day < 3; day += 1) {
      site.advance(24 * 60 * minute);
      await tick(silent);
    }
    expect(await healthNow(silent)).toMatchObject({ status: 'ok' });
    site.chat.answer({ status: 200 });
    site.advance(minute);
    await tick();
    expect(site.chat.posts).toHaveLength(1);
  });
});

const sendTest = () => site.admin('/api/settings/test-webhook', { method: 'POST' });

test('A test message reaches the chat, and the response is shown without the URL', async () => {
  expect(await (await sendTest()).json()).toEqual({
    receipts: [{ to: 'the team chat', sent: true, answer: '200 OK' }],
  });
  expect(site.chat.posts[0]?.body).toMatchObject({ text: expect.stringMatching(/^Test message/) });
  await site.chat.close();
  const refused = await (await sendTest()).text();
  expect(JSON.parse(refused)).toMatchObject({ receipts: [{ sent: false, answer: 'not reached (ECONNREFUSED)' }] });
  expect(refused).not.toMatch(/SECRET|127\.0\.0\.1/);
});
