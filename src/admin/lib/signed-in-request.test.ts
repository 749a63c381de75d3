import { expect, test } from 'vitest';
import { ApiError } from '../../lib/request/api.ts';
import { type Request, acrossSessions } from './signed-in-request.ts';

const refusal = (status: number, code: string) =>
  new ApiError(new Response(null, { status }), JSON.stringify({ message: 'Please sign in.', code }));

test('A request asks the admin twice if the session has ended and the new one is not recent, and never after another refusal', async () => {
  const refusals = [refusal(401, 'unauthorized'), refusal(403, 'fresh_sign_in')];
  const other = refusal(403, 'forbidden_origin');
  const answers: unknown[] = [...refusals, 'answer', other];
  const asked: ApiError[] = [];
  const send = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const request = acrossSessions(async (error) => void asked.push(error))(send as Request);
  expect(await request('/api/x')).toBe('answer');
  await expect(request('/api/x')).rejects.toBe(other);
  expect(asked).toEqual(refusals);
});
