import { describe, expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { type Request, isSignedOut, requestAcrossSessions } from './signed-in-request.ts';

const refusal = (status: number, code?: string) =>
  new ApiError(new Response(null, { status }), JSON.stringify({ message: 'Please sign in.', code }));

/** A request helper that returns the given responses in order. */
function answering(...answers: unknown[]) {
  const calls: unknown[][] = [];
  const send = async (...call: unknown[]) => {
    calls.push(call);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, send: send as Request };
}

describe('A request across sessions', () => {
  test('succeeds if the session is valid', async () => {
    const { send } = answering('answer');
    const request = requestAcrossSessions(() => Promise.reject(new Error('asked')), send);
    expect(await request('/api/x')).toBe('answer');
  });

  test('is sent again unchanged after the admin signs in', async () => {
    const { send, calls } = answering(refusal(401), 'answer');
    let asked = 0;
    const request = requestAcrossSessions(async () => void (asked += 1), send);
    expect(await request('/api/x', { method: 'POST', body: { mail: 'firm' } })).toBe('answer');
    expect(asked).toBe(1);
    expect(calls[1]).toEqual(calls[0]);
  });

  test('fails with the refusal if the admin cancels the sign-in', async () => {
    const { send, calls } = answering(refusal(401));
    const request = requestAcrossSessions((error) => Promise.reject(error), send);
    await expect(request('/api/x')).rejects.toSatisfy(isSignedOut);
    expect(calls).toHaveLength(1);
  });

  test('is sent again after the admin confirms a step that needs a recent sign-in', async () => {
    const { send, calls } = answering(refusal(403, 'fresh_sign_in'), 'answer');
    let asked = 0;
    const request = requestAcrossSessions(async () => void (asked += 1), send);
    expect(await request('/api/x', { body: { email: 'a@b.example' } })).toBe('answer');
    expect(asked).toBe(1);
    expect(calls[1]).toEqual(calls[0]);
  });

  test('asks for both if the session has ended and the new one is not recent', async () => {
    const { send } = answering(refusal(401), refusal(403, 'fresh_sign_in'), 'answer');
    const asked: number[] = [];
    const request = requestAcrossSessions(async ({ status }) => void asked.push(status), send);
    expect(await request('/api/x')).toBe('answer');
    expect(asked).toEqual([401, 403]);
  });

  test('asks for nothing if a request from another site is refused', async () => {
    const { send } = answering(refusal(403, 'forbidden_origin'));
    const request = requestAcrossSessions(() => Promise.reject(new Error('asked')), send);
    await expect(request('/api/x')).rejects.toMatchObject({ status: 403 });
  });

  test('asks for nothing after any other error', async () => {
    const { send } = answering(refusal(500));
    const request = requestAcrossSessions(() => Promise.reject(new Error('asked')), send);
    await expect(request('/api/x')).rejects.toMatchObject({ status: 500 });
  });
});
