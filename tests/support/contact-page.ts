import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { fieldErrors } from '../../src/domain/errors.ts';
import { inputSchema } from '../../src/domain/field-schema.ts';
import { inquiryFields, serviceInterests } from '../../src/domain/inquiry.ts';

/**
 * The server's behavior for one submission. Each submission uses the next entry of `moods`. After the last entry, the
 * server behaves normally.
 */
interface Mood {
  /** The delay before the response, in milliseconds. */
  delay?: number;
  /** Refuses the submission with this status and body. */
  status?: number;
  body?: object;
  headers?: Record<string, string>;
  /** Cuts the connection, before or after the submission is stored. */
  cut?: 'before' | 'after';
}

export interface ContactServer {
  readonly url: string;
  /** Every submission that arrived, in order. */
  readonly received: { key: string | undefined; body: Record<string, unknown> }[];
  /** The receipts of stored submissions, by idempotency key. */
  readonly stored: Map<string, { reference: string }>;
  readonly moods: Mood[];
  close(): Promise<void>;
}

/** Returns only the markup that the form's script requires. */
function formMarkup(variant: 'section' | 'floating'): string {
  const field = (name: string, label: string, control: string): string => `
    <p><label for="${variant}-${name}">${label}</label>
      ${control.replace('/>', `id="${variant}-${name}" name="${name}" aria-describedby="${variant}-${name}-error" required>`)}
      <span id="${variant}-${name}-error" data-error-for="${name}" hidden></span></p>`;
  const options = serviceInterests.map(({ value, label }) => `<option value="${value}">${label}</option>`).join('');
  return `
    <form method="post" action="/api/contact" data-enhance="contact" data-variant="${variant}">
      <div data-error-summary tabindex="-1" hidden></div>
      ${field('fullName', 'Full name', '<input />')}
      ${field('email', 'Email', '<input type="email" />')}
      ${field('company', 'Company', '<input />')}
      ${field('serviceInterest', 'Service of interest', `<select /><option value="">Choose</option>${options}</select>`)}
      ${field('message', 'Message', '<textarea /></textarea>')}
      <input name="website" tabindex="-1" autocomplete="off" class="trap"><input type="hidden" name="fillMs">
      <button type="submit" data-pending-label="Sending...">Send <b>now</b></button>
      <div data-receipt tabindex="-1" hidden>Thank you. Your reference is <b data-receipt-reference></b>.</div>
    </form>`;
}

const page = `<!doctype html><html lang="en"><title>Contact</title><link rel="icon" href="data:,">
  <link rel="stylesheet" href="/page.css"><meta name="viewport" content="width=device-width">
  <h1>Contact</h1><a href="#form" data-service="project-rescue">Get a rescue</a>
  <section id="form">${formMarkup('section')}</section>
  <button popovertarget="panel">Start Transformation</button>
  <div id="panel" popover><h2>Start Transformation</h2>${formMarkup('floating')}</div></html>`;

const styles = `
  :root { color-scheme: light dark; --color-ink: light-dark(#16201b, #eef2ee); --color-paper: light-dark(#faf7f0, #121714);
    --color-raised: light-dark(#fff, #1c2420); --color-rule-strong: light-dark(#8a8d80, #77827b); --color-accent: light-dark(#0b5d43, #7fd1ae);
    --color-alert: light-dark(#8f2410, #ffb4a2); --color-on-alert: light-dark(#fff, #2b0a03); }
  body { background: var(--color-paper); color: var(--color-ink); font-family: sans-serif; min-height: 200vh; }
  .trap { position: absolute; left: -999rem; }`;

/**
 * Serves a page with both variants of the contact form and a strict Content-Security-Policy, and a path that accepts
 * inquiries. As on the real site, the path validates an inquiry, stores each idempotency key once, and responds with
 * the stored receipt.
 * @param script the bundle, which is served as `/lib.js`. The page does not load the script itself.
 */
export async function startContactServer(script: string): Promise<ContactServer> {
  const received: ContactServer['received'] = [];
  const stored: ContactServer['stored'] = new Map();
  const moods: Mood[] = [];

  async function takeInquiry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    const body = JSON.parse(text) as Record<string, unknown>;
    const key = request.headers['idempotency-key'] as string | undefined;
    received.push({ key, body });
    const mood = moods.shift() ?? {};
    const reply = (status: number, answer: object): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...mood.headers })
        .end(JSON.stringify(answer));
    };
    if (mood.delay) await sleep(mood.delay);
    if (mood.cut === 'before') return void request.socket.destroy();
    if (mood.status) return reply(mood.status, mood.body ?? { message: 'Something went wrong.' });
    const input = z.safeParse(inputSchema(inquiryFields), body);
    if (!input.success) return reply(400, { message: 'Please check the form.', errors: fieldErrors(input.error) });
    const receipt = stored.get(key ?? '') ?? { reference: `R-${stored.size + 1}` };
    stored.set(key ?? `none ${received.length}`, receipt);
    if (mood.cut === 'after') return void request.socket.destroy();
    reply(201, { success: true, id: receipt.reference, ...receipt });
  }

  const server = createServer((request, response) => {
    const files: Record<string, [type: string, text: string]> = {
      '/': ['text/html', page],
      '/lib.js': ['text/javascript', script],
      '/page.css': ['text/css', styles],
    };
    const path = new URL(request.url ?? '/', 'http://local').pathname;
    const [type, text] = files[path] ?? ['text/plain', ''];
    if (request.method === 'POST' && path === '/api/contact') {
      takeInquiry(request, response).catch((error: unknown) => response.destroy(error as Error));
    } else {
      response.writeHead(files[path] ? 200 : 404, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        // If a reused connection breaks, a browser repeats the request itself, and the page never notices the fault.
        // So each connection serves only one request.
        connection: 'close',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
      });
      response.end(text);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stored,
    moods,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
