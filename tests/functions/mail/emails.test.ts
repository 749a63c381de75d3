import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { refusalPage } from '../../../netlify/server/http/respond.ts';
import { type Email, emailHtml, emailText } from '../../../netlify/server/mail/template.ts';
import { emailToFirm } from '../../../netlify/server/mail/texts.ts';
import type { ApplicationRecord } from '../../../src/domain/submissions/application.ts';
import type { InquiryRecord } from '../../../src/domain/submissions/inquiry.ts';
import { everyEmail } from '../../support/api/every-email.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import type { ReceivedMail } from '../../support/servers/mail-server.ts';
import { anApplication } from '../../support/samples/resumes.ts';

let emails: ReadonlyMap<string, ReceivedMail>;
beforeEach(async () => {
  emails ??= await everyEmail();
});

const siteUrl = 'https://www.firm.example';
const submission = { id: 'a1c7', reference: '7K3M-9QXD', createdAt: '2026-03-02T18:30:00.000Z' };
const inquiryWith = (changes: Record<string, unknown>) =>
  emailToFirm({ ...anInquiry(), ...submission, ...changes } as unknown as InquiryRecord, siteUrl);

/** Returns the words of an HTML part as a reader sees them, without the preview text. */
const shownWords = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<div style="display:none[^>]*>[^<]*<\/div>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

describe('Every kind of email', () => {
  test('is covered by these tests', () => {
    const subjects = [...emails.keys()]
      .map((subject) => subject.replace(/[0-9A-Z]{4}-[0-9A-Z]{4}/, 'REFERENCE'))
      .sort();
    expect(subjects).toEqual([
      '10 more messages from the Southbay ERP website',
      'Admin removed from the Southbay ERP website',
      'Applications will be deleted starting March 13, 2031',
      'Company account connected to your Southbay ERP account',
      'Invitation to the Southbay ERP website',
      'New admin of the Southbay ERP website',
      'New application REFERENCE: Mara Quill (NetSuite Developer)',
      'New inquiry REFERENCE: Whitfield & Söhne (Project Recovery)',
      'New recovery codes for your Southbay ERP account',
      'New sign-in to your Southbay ERP account',
      'Passkey added to your Southbay ERP account',
      'Passkey removed from your Southbay ERP account',
      'Problem with file storage on the Southbay ERP website',
      'Recovery code used for your Southbay ERP account',
      'Resolved: problem with file storage on the Southbay ERP website',
      'Test email from Southbay ERP',
      'We received your application (REFERENCE)',
      'We received your inquiry (REFERENCE)',
      'Your Southbay ERP password was changed',
    ]);
  });

  test('arrives as plain text and as HTML with the same text', () => {
    expect(emails.size).toBeGreaterThan(0);
    for (const [subject, { source, text = '', html }] of emails) {
      expect(source.toString(), subject).toMatch(/^Content-Type: multipart\/alternative;/m);
      expect(text, subject).toMatch(/^Hello,\n\n[A-Z0-9]/);
      const shown = shownWords(String(html));
      const urls = [...String(html).matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
      const words = text
        .replace(/^-- ?$/m, '')
        .split(/\s+/)
        .filter(Boolean);
      const missing = words.filter((word) => !shown.includes(word.replace(/:$/, '')) && !urls.includes(word));
      expect(missing, subject).toEqual([]);
    }
  });

  test('loads nothing, and every link is absolute', () => {
    expect(emails.size).toBeGreaterThan(0);
    for (const [subject, { html, attachments }] of emails) {
      expect(attachments, subject).toEqual([]);
      expect(html, subject).not.toMatch(/<(img|link|script|iframe|form|object|svg)\b|url\(|@import|src=/i);
      const schemes = [...String(html).matchAll(/href="([a-z]+:)/g)].map(([, scheme]) => scheme);
      expect(schemes.length, subject).toBe(String(html).match(/href=/g)?.length);
      expect(['https:', 'mailto:', 'tel:'], subject).toEqual(expect.arrayContaining(schemes));
    }
  });
});

describe('A visitor’s text', () => {
  const hostile = '<script>alert(1)</script> <a href="https://evil.example">Sign in</a> "quoted" & \'more\'';

  test('is plain text in the HTML part, in every field', () => {
    const html = emailHtml(
      inquiryWith({ fullName: hostile, company: hostile, email: hostile, message: `${hostile}\n</blockquote>` }),
    );
    expect(html).not.toMatch(/<script|<a href="https:\/\/evil|<\/blockquote>\n<\/blockquote>/);
    expect(html).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt; &lt;a href="https://evil.example"&gt;Sign in&lt;/a&gt;',
    );
    expect(html.match(/&lt;\/blockquote&gt;/g)).toHaveLength(1);
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  test('keeps its lines in both parts', () => {
    const email = inquiryWith({ message: 'First line.\nSecond line.\n\nNew paragraph.' });
    expect(emailText(email)).toContain('First line.\nSecond line.\n\nNew paragraph.');
    expect(emailHtml(email)).toContain('First line.<br>\nSecond line.<br>\n<br>\nNew paragraph.');
  });

  test.for(['&', '<', '\n', '€', '漢'])(
    'at its maximum length stays under 102 KB, where Gmail hides the rest of an email: %j',
    (character) => {
      const long = character.repeat(200);
      const record = {
        ...anApplication(),
        ...submission,
        fullName: long,
        resume: { name: long, kind: 'pdf', size: 1 },
      };
      const coverLetter = character.repeat(10_000);
      const email = emailToFirm({ ...record, coverLetter } as unknown as ApplicationRecord, siteUrl);
      expect(Buffer.byteLength(emailHtml(email))).toBeLessThan(102_000);
    },
  );

  test('is truncated in the preheader', () => {
    const [, preheader = ''] =
      /<div style="display:none[^>]*>([^<]*)</.exec(emailHtml(inquiryWith({ message: 'word '.repeat(2_000) }))) ?? [];
    expect(preheader).toMatch(/^Dana Whitfield: word word .*…$/);
    expect(preheader.length).toBeLessThanOrEqual(140);
  });
});

const email: Email = {
  subject: 'S',
  preheader: 'P',
  blocks: [
    { label: 'L', quote: 'Q' },
    { label: 'L', url: siteUrl },
  ],
  footer: ['F'],
};

test.each([
  ['An email', emailHtml(email)],
  ['The page for a refused form', refusalPage('Refused', 'Why', 'none')],
])('%s has the colors of the site, in both schemes', (_, html) => {
  const tokens = [...readFileSync('src/styles/tokens.css', 'utf8').matchAll(/light-dark\((#\w+), (#\w+)\)/g)];
  const [, dark = ''] = /\(prefers-color-scheme:dark\)(.*?\}\})/s.exec(html) ?? [];
  for (const [scheme, css] of [html.replace(dark, ''), dark].entries()) {
    const colors = [...new Set(css.match(/#[0-9a-f]{6,8}/g))];
    expect(colors).toHaveLength(7);
    expect(tokens.map((token) => token[scheme + 1])).toEqual(expect.arrayContaining(colors));
  }
});
