import { expect, test } from 'vitest';
import { readEnv } from '../env.ts';
import { sharePreview, sharedPreview } from './shared-preview.ts';

const at = (iso: string, secret = 'a secret of the tests, long enough') => ({
  env: readEnv({ SESSION_SECRET: secret }),
  now: () => new Date(iso),
});
const draft = { email: 'owner@firm.example', key: 'k1' };

test('a link shows its draft for a week, and names nobody', async () => {
  const token = await sharePreview(draft, at('2026-03-01T12:00:00Z'));
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('owner');
  expect(await sharedPreview(token, 'k1', at('2026-03-08T11:59:59Z'))).toEqual({
    email: draft.email,
    until: new Date('2026-03-08T12:00:00Z'),
  });
  expect(await sharedPreview(token, 'k1', at('2026-03-08T12:00:01Z'))).toBeNull();
});

test('it shows no other draft, and nothing once the secret was changed', async () => {
  const token = await sharePreview(draft, at('2026-03-01T12:00:00Z'));
  expect(await sharedPreview(token, 'k2', at('2026-03-01T12:00:00Z'))).toBeNull();
  expect(await sharedPreview(`${token}x`, 'k1', at('2026-03-01T12:00:00Z'))).toBeNull();
  expect(
    await sharedPreview(token, 'k1', at('2026-03-01T12:00:00Z', 'another secret, as long as the first')),
  ).toBeNull();
});
