import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { signInPrompt } from './sign-in-prompt.ts';

const refusal = () => new ApiError(new Response(null, { status: 401 }), '');

test('All requests that are refused at the same time wait for one sign-in', async () => {
  const prompt = signInPrompt();
  let changes = 0;
  prompt.subscribe(() => (changes += 1));
  const waiting = [prompt.ask(refusal()), prompt.ask(refusal())];
  expect(prompt.reason()).toBe('ended');
  expect(changes).toBe(1);
  prompt.granted();
  await Promise.all(waiting);
  expect(prompt.reason()).toBeNull();
  expect(changes).toBe(2);
});

test('If the admin cancels, the refused requests fail, and the next refusal asks again', async () => {
  const prompt = signInPrompt();
  const error = refusal();
  const asked = prompt.ask(error);
  prompt.declined();
  await expect(asked).rejects.toBe(error);
  const again = prompt.ask(refusal());
  expect(prompt.reason()).toBe('ended');
  prompt.granted();
  await again;
});

test('The prompt states whether the session has ended or the step needs a recent sign-in', () => {
  const prompt = signInPrompt();
  void prompt.ask(new ApiError(new Response(null, { status: 403 }), '{"code":"fresh_sign_in"}'));
  expect(prompt.reason()).toBe('confirm');
});
