import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { type Request, isSignedOut, requestAcrossSessions } from './signed-in-request.ts';

const refusal = (status: number, code?: string) =>
  new ApiError(new Response(null, { status }), JSON.stringify({ message: 'Please sign in.', code }));
const ended = refusal(401);
const notRecent = refusal(403, 'fresh_sign_in');

/** Creates a request helper that gets these answers in order. `asked` lists the refusals shown to the admin. */
function answering(answers: unknown[], whenAsked: (error: ApiError) => Promise<void> = async () => undefined) {
  const calls: unknown[][] = [];
  const asked: ApiError[] = [];
  const send = async (...call: unknown[]) => {
    const answer = answers[calls.push(call) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const request = requestAcrossSessions((error) => (asked.push(error), whenAsked(error)), send as Request);
  return { calls, asked, send: () => request('/api/x', { method: 'POST', body: { mail: 'firm' } }) };
}

test.for<[when: string, refusals: ApiError[]]>([
  ['at once if the session is valid', []],
  ['after the admin signs in', [ended]],
  ['after the admin confirms a step that needs a recent sign-in', [notRecent]],
  ['after both, if the session has ended and the new one is not recent', [ended, notRecent]],
])('A request across sessions succeeds unchanged %s', async ([, refusals]) => {
  const { calls, asked, send } = answering([...refusals, 'answer']);
  expect(await send()).toBe('answer');
  expect(asked).toEqual(refusals);
  expect(calls).toEqual(Array(refusals.length + 1).fill(calls[0]));
});

test('A request fails with the refusal if the admin cancels the sign-in', async () => {
  const { calls, send } = answering([ended], (error) => Promise.reject(error));
  await expect(send()).rejects.toSatisfy(isSignedOut);
  expect(calls).toHaveLength(1);
});

test.for([refusal(403, 'forbidden_origin'), refusal(500)])(
  'The admin is not asked after $status $code',
  async (error) => {
    const { asked, send } = answering([error]);
    await expect(send()).rejects.toBe(error);
    expect(asked).toEqual([]);
  },
);
