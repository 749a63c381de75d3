import { expect, test } from 'vitest';
import { ApiError } from '../../request/api.ts';
import { contactForm } from '../contact.ts';
import type { FormTexts } from '../definition.ts';
import { failureOf } from './failure.ts';

const section = contactForm.variants['section'] as FormTexts;
const refusal = (status: number, body: string, headers: Record<string, string> = {}): ApiError =>
  new ApiError(new Response(body, { status, headers }), body);

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
