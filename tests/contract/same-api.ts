import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorBody } from '../../src/domain/errors.ts';
import { partBytes } from '../../src/domain/submissions/upload.ts';
import { anInquiry } from '../support/samples/inquiries.ts';
import { aPdf } from '../support/samples/files.ts';
import { multipart } from '../support/api/multipart.ts';
import { anApplication } from '../support/samples/resumes.ts';
import { sendJson } from '../support/host/ask.ts';
import { sendTo, uploadInParts } from '../support/api/uploads.ts';
import type { MailServer } from '../support/servers/mail-server.ts';

/** A running server of the API. */
export interface Served {
  readonly url: string;
  readonly mail: MailServer;
  readonly admin: { readonly email: string; readonly password: string };
  readonly firmAddress: string;
  close(): Promise<void>;
}

/**
 * Defines tests of the API on one host, such as Netlify. The responses must be the same on all hosts, from a visitor's
 * inquiry to the admin's inbox.
 */
export function describeSameApi(host: string, start: () => Promise<Served>): void {
  describe(`The API on ${host}`, () => {
    let served: Served;
    let cookie = '';
    beforeAll(async () => {
      served = await start();
      cookie = cookieOf(await post('/api/login', served.admin));
    });
    afterAll(() => served.close());

    const send = (path: string, init: RequestInit = {}) => fetch(served.url + path, { redirect: 'manual', ...init });
    const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
      send(path, sendJson(json, headers));
    const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const admin = (path: string, init: RequestInit = {}) =>
      send(path, { ...init, headers: { cookie, ...init.headers } });

    test('is healthy', async () => {
      const response = await send('/api/health');
      expect(await response.json()).toMatchObject({ status: 'ok' });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-request-id')).toMatch(/\S+/);
    });

    test('stores an inquiry once, emails the firm and the sender, and shows the inquiry with its delivery', async () => {
      const inquiry = anInquiry({ company: 'Every Host', email: 'every@host.example' });
      const headers = { 'idempotency-key': 'every-host' };
      const first = await post('/api/contact', inquiry, headers);
      const second = await post('/api/contact', inquiry, headers);
      expect([first.status, second.status]).toEqual([201, 201]);
      const receipt = await first.json();
      expect(await second.json()).toEqual(receipt);
      const about = ({ subject = '' }: { subject?: string }) => subject.includes(receipt.reference);
      for (const to of [served.firmAddress, inquiry.email]) {
        await served.mail.waitFor((mail) => about(mail) && mail.envelope.to.includes(to));
      }
      expect(served.mail.messages.filter(about)).toHaveLength(2);

      const listed = async () => (await (await admin('/api/contact/submissions?q=every')).json()).data;
      await expect.poll(listed).toMatchObject([{ company: 'Every Host', delivery: { firm: { status: 'sent' } } }]);
      const again = await post(`/api/contact/submissions/${receipt.id}/resend`, { mail: 'firm' }, { cookie });
      expect(await again.json()).toMatchObject({ id: receipt.id, delivery: { firm: { status: 'sent' } } });
      const csv = await (await admin('/api/contact/submissions.csv')).text();
      expect(csv).toContain('"Every Host"');
    });

    test('reports every error in the same format', async () => {
      const invalid = await post('/api/contact', anInquiry({ email: 'a@b' }));
      expect(invalid.status).toBe(400);
      expect(errorBody.parse(await invalid.json())).toMatchObject({
        code: 'invalid_input',
        errors: { email: 'Please enter a valid email address.' },
      });
      const method = await send('/api/contact', { method: 'PUT', body: '{}' });
      expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
      const type = await send('/api/contact', {
        method: 'POST',
        body: 'hello',
        headers: { 'content-type': 'text/plain' },
      });
      expect(type.status).toBe(415);
      const large = await post('/api/contact', anInquiry({ message: 'x'.repeat(600_000) }));
      expect(large.status).toBe(413);
      expect(Object.fromEntries(large.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      for (const response of [method, type, large]) errorBody.parse(await response.json());
    });

    test('signs the admin in and out', async () => {
      expect((await post('/api/login', { ...served.admin, password: 'wrong' })).status).toBe(401);
      const response = await post('/api/login', served.admin);
      expect(response.status).toBe(200);
      const headers = { cookie: cookieOf(response) };
      const status = () => admin('/api/auth/status', { headers });
      expect(await (await status()).json()).toMatchObject({ user: { email: served.admin.email } });
      expect(await (await admin('/api/health', { headers })).json()).toMatchObject({ database: 'ok', blobs: 'ok' });
      expect((await admin('/api/logout', { method: 'POST', headers })).status).toBe(200);
      expect((await status()).status).toBe(401);
    });

    test('refuses a change that another site sends from the admin’s browser', async () => {
      const response = await admin('/api/contact/submissions/x/release', {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
      });
      expect(response.status).toBe(403);
    });

    test('shows the logo that the admin uploaded, without its script', async () => {
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Our logo</title><script>alert(1)</script></svg>';
      const { body, headers } = await multipart({ logo: new File([drawing], 'logo.svg') });
      const saved = await admin('/api/settings/logo', { method: 'POST', body, headers });
      expect(await saved.json()).toMatchObject({ data: { logoFileName: 'logo.svg', uploaded: true } });
      const shown = await send('/uploads/logo');
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(await shown.text()).toBe('<svg xmlns="http://www.w3.org/2000/svg"><title>Our logo</title></svg>');
    });

    test.each([200, partBytes + 1, partBytes + 4_095])(
      'gives the admin a resume of %i bytes as it was sent in parts',
      async (size) => {
        const resume = aPdf(size);
        const uploadId = await uploadInParts(resume, sendTo(served.url));
        const fullName = `Applicant ${size}`;
        const sent = await post('/api/career-application', { ...anApplication({ fullName }), uploadId });
        expect(sent.status).toBe(201);
        const list = await (await admin(`/api/contact/applications?q=${size}`)).json();
        const download = await admin(`/api/contact/applications/${list.data[0].id}/resume`);
        expect([download.status, download.headers.get('content-type')]).toEqual([200, 'application/pdf']);
        expect(Buffer.from(await download.arrayBuffer()).equals(resume)).toBe(true);
      },
    );
  });
}
