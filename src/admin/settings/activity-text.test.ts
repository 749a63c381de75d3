import { expect, test } from 'vitest';
import { type ActivityRecord, failedSignIn } from '../../domain/activity.ts';
import { activityText } from './activity-text.ts';

const who = 'owner@firm.example';

function sentence(action: string, subject = '', more: Partial<ActivityRecord> = {}): string {
  const entry: ActivityRecord = { id: 1, at: '', who, action, subject, kind: 'change', count: 1, ...more };
  return Object.values(activityText(entry)).filter(Boolean).join(' ').replace(`${who} `, '');
}

test('An entry names its post, file or session after the noun', () => {
  expect(sentence('moved the post to the trash', 'Books')).toBe('moved the post “Books” to the trash');
  expect(sentence('scheduled the post that the site has now published', 'Books')).toBe(
    'scheduled the post “Books” that the site has now published',
  );
  expect(sentence('published the post, as scheduled', 'Books')).toBe('published the post “Books” as scheduled');
  expect(sentence('restored the previous file', 'team.jpg')).toBe('restored the previous file “team.jpg”');
  expect(sentence('ended the session', 'Chrome on Windows')).toBe('ended the session “Chrome on Windows”');
  expect(sentence('changed the text', 'Main heading')).toBe('changed the text “Main heading”');
  expect(sentence('reset the logo to the default')).toBe('reset the logo to the default');
});

test('An entry names its inquiry or application by the reference', () => {
  expect(sentence('marked an inquiry as handled', '7K3M-9QXD')).toBe('marked inquiry 7K3M-9QXD as handled');
  expect(sentence('changed the note on an inquiry', '7K3M-9QXD')).toBe('changed the note on inquiry 7K3M-9QXD');
  expect(sentence('downloaded a resume', '4T6P-2WLE')).toBe('downloaded a resume (4T6P-2WLE)');
});

test('Failed sign-ins are counted before the reason', () => {
  const failed = { kind: 'sign-in' } as const;
  expect(sentence(failedSignIn, 'with a wrong password', failed)).toBe('tried to sign in with a wrong password');
  expect(sentence(failedSignIn, 'with a wrong password', { ...failed, count: 12 })).toBe(
    'tried to sign in 12 times with a wrong password',
  );
});
