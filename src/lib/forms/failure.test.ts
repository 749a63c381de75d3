import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../api.ts';
import { careerForm } from './career.ts';
import { contactForm } from './contact.ts';
import type { FormTexts } from './definition.ts';
import { failureOf } from './failure.ts';

const section = contactForm.variants['section'] as FormTexts;
const floating = contactForm.variants['floating'] as FormTexts;
const application = careerForm.variants['page'] as FormTexts;
const refusal = (status: number, body: string, headers: Record<string, string> = {}): ApiError =>
  new ApiError(new Response(body, { status, headers }), body);

test('the section shows the error’s message', () => {
  expect(failureOf(refusal(400, '{"message":"Please check the form."}'), section, true)).toEqual({
    title: 'Submission failed',
    description: '400: Please check the form.',
    note: undefined,
    retryable: false,
  });
});

test('the widget has its own messages', () => {
  expect(failureOf(refusal(500, '{"message":"Sorry."}'), floating, true)).toEqual({
    title: 'Failed to send message',
    description: 'Please try again later.',
    note: 'Your answers are still in the form.',
    retryable: true,
  });
});

test('an error without a readable message gets the default message', () => {
  for (const body of ['<html><body>Bad gateway</body></html>', 'x'.repeat(400)]) {
    expect(failureOf(refusal(502, body), section, true).description).toBe('Please try again later.');
  }
  expect(failureOf(undefined, section, true).description).toBe('Please try again later.');
});

test('after too many attempts, the message says when to try again', () => {
  const noteFor = (seconds: string | undefined): string | undefined =>
    failureOf(refusal(429, 'Slow down.', seconds === undefined ? {} : { 'retry-after': seconds }), section, true).note;
  expect(noteFor('1')).toBe('You can try again in 1 second.');
  expect(noteFor('42')).toBe('You can try again in 42 seconds.');
  expect(noteFor('121')).toBe('You can try again in 3 minutes.');
  expect(noteFor(undefined)).toBe('You can try again in 60 seconds.');
});

test.each([
  ['the section', section],
  ['the widget', floating],
  ['the application form', application],
])('in %s, an offline visitor reads that the answers are sent later, and not to try again', (_form, texts) => {
  const failure = failureOf(new NetworkError('The site could not be reached.'), texts, false);
  expect(failure).toMatchObject({ description: 'You’re offline.', retryable: true });
  expect(failure.note).toContain('when you’re back online');
});
