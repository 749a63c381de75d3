import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { takeRefusals } from '../../../tests/support/console.ts';
import unknownAddress from '../../functions/unknown-address.ts';
import { Refusal } from '../refusal.ts';
import { refusalPage, refusalResponse } from './respond.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const aForm = { method: 'POST', body: new URLSearchParams({ fullName: 'Ada' }) };
const refused = (path: string, init: RequestInit = {}) =>
  refusalResponse(
    new Refusal('too_large', 'The <file> is too large.'),
    new Request(`https://site.example${path}`, { headers: browser, ...init }),
    'request-1',
  );

test('A person who opens an API URL in a browser gets the JSON of every API error', async () => {
  for (const init of [{}, { method: 'POST', body: '{}' }, { method: 'DELETE' }]) {
    const response = refused('/api/contact', init);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ message: 'The <file> is too large.', code: 'too_large' });
  }
  const request = new Request('https://site.example/api/nope', { headers: browser });
  const unknown = await unknownAddress(request, { requestId: 'request-2' } as Parameters<typeof unknownAddress>[1]);
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ code: 'not_found', requestId: 'request-2' });
});

test('A person whose form is refused without scripts gets a page with a link back', async () => {
  const response = refused('/api/contact', aForm);
  const html = await response.text();
  expect(response.status).toBe(413);
  expect(html).toContain('The &lt;file&gt; is too large.');
  expect(html).toContain('Select Back in your browser');
  expect(html).toContain('src="/uploads/logo"');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
});

test('A person who is refused a page without sending a form reads nothing about a form', async () => {
  const html = await refused('/blog/some-post').text();
  expect(html).toContain('This page is not available<');
  expect(html).not.toContain('Select Back');
  expect(refusalPage('x', 'y', 'none')).toContain('Return to Home');
});

test('A person whose form on another website was blocked is not sent back to that form', async () => {
  const request = new Request('https://site.example/api/contact', { headers: browser, ...aForm });
  const blocked = refusalResponse(new Refusal('forbidden_origin', 'Blocked.'), request, 'request-3');
  const html = await blocked.text();
  expect(html).toContain('Your form was not sent');
  expect(html).not.toContain('Select Back');
});

test('An admin finds the reference of a refused request in the log, without data of the visitor', () => {
  refused('/api/uploads/ada-lovelace.pdf?email=ada@lovelace.example', { method: 'DELETE' });
  const [line = ''] = takeRefusals();
  expect(JSON.parse(line)).toMatchObject({ requestId: 'request-1', status: 413, code: 'too_large' });
  expect(line).not.toMatch(/ada|lovelace/);
});
