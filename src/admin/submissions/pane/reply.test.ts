import { describe, expect, test } from 'vitest';
import { inputSchema } from '../../../domain/field.ts';
import { type InquiryRecord, inquiryFields } from '../../../domain/submissions/inquiry.ts';
import { replyAddress } from './reply.ts';

const sent = { status: 'sent', at: null, error: null } as const;
const inquiry = (changes: Partial<InquiryRecord> = {}): InquiryRecord => ({
  ...inputSchema(inquiryFields).parse({
    fullName: 'Dana Whitfield',
    email: 'dana@whitfield-foods.example',
    company: 'Whitfield Foods',
    serviceInterest: 'support',
    message: 'Two lines.\n\nAnd a third & last: 100% "quoted"?',
  }),
  ...{ id: 'a', reference: '7WNS-M400', createdAt: '2026-03-02T18:30:00.000Z', status: 'inbox' },
  ...{ suspicions: [], handledAt: null, note: '', delivery: { firm: sent, sender: sent, webhook: sent } },
  ...changes,
});

/** Parses a `mailto:` URL the way an email program does. */
function read(address: string) {
  const { pathname, searchParams } = new URL(address);
  return { to: decodeURIComponent(pathname), ...Object.fromEntries(searchParams) } as Record<string, string>;
}

describe('The reply to an inquiry', () => {
  test('has the specified subject, a greeting, and the message quoted line by line', () => {
    expect(read(replyAddress(inquiry(), 'America/Los_Angeles'))).toEqual({
      to: 'dana@whitfield-foods.example',
      subject: 'Re: NetSuite Consultation Request',
      body: [
        'Hello Dana Whitfield,',
        '',
        'Thank you for your inquiry (reference 7WNS-M400).',
        '',
        '',
        '',
        'On Mar 2, 2026 10:30 AM, Dana Whitfield wrote:',
        '> Two lines.',
        '>',
        '> And a third & last: 100% "quoted"?',
      ].join('\r\n'),
    });
  });

  test('cannot get another recipient or header from the visitor’s text', () => {
    const address = replyAddress(inquiry({ email: "a&bcc=x?y'%@example.com", fullName: 'A&cc=b@c.example' }));
    expect(read(address)).toEqual({
      to: "a&bcc=x?y'%@example.com",
      subject: 'Re: NetSuite Consultation Request',
      body: expect.stringMatching(/^Hello A&cc=b@c\.example,\r\n/),
    });
  });

  test.for(['word '.repeat(2_000), 'é'.repeat(5_000), '👩‍💻'.repeat(900), 'a\n'.repeat(4_000)])(
    'stays short enough for every email program, and states that it was cut',
    (message) => {
      const address = replyAddress(inquiry({ message }));
      expect(address.length).toBeLessThanOrEqual(1_900);
      expect(address.length).toBeGreaterThan(1_700);
      expect(read(address)['body']).toMatch(/\r\n> \[\.\.\.\]$/);
      expect(read(address)['body']!.isWellFormed()).toBe(true);
    },
  );
});
