import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostRecord } from '../../domain/post.ts';
import { watchSchedule } from './watch.tsx';

const read = vi.fn((_id: string) => Promise.reject(new Error('not asked in these tests')));
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

beforeEach(() => {
  vi.useFakeTimers();
  read.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

test('A scheduled post is checked once after its time, even if the list shows it often', async () => {
  const post = { id: 'a', publishAt: inMinutes(10) };
  for (let shown = 0; shown < 3; shown += 1) watchSchedule(post, read);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(read.mock.calls).toEqual([['a']]);
});

test('A post that is rescheduled or unscheduled is not checked at its first time', async () => {
  watchSchedule({ id: 'later', publishAt: inMinutes(10) }, read);
  watchSchedule({ id: 'later', publishAt: inMinutes(30) }, read);
  watchSchedule({ id: 'never', publishAt: inMinutes(10) }, read);
  watchSchedule({ id: 'never', publishAt: null }, read);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(read.mock.calls).toEqual([['later']]);
});

test('Of hundreds of scheduled posts, the last 50 are watched, and none that is too late for a timer', async () => {
  watchSchedule({ id: 'in a month', publishAt: inMinutes(30 * 24 * 60) }, read);
  for (let index = 0; index < 300; index += 1) watchSchedule({ id: `post ${index}`, publishAt: inMinutes(10) }, read);
  expect(vi.getTimerCount()).toBe(50);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(read.mock.calls.map(([id]) => id)).toEqual(Array.from({ length: 50 }, (_, index) => `post ${250 + index}`));
});

test('A post that someone reschedules after its time is checked no more, and no problem is shown', async () => {
  const publishAt = inMinutes(10);
  const due = { title: 'Due', slug: 'due', status: 'scheduled', deletedAt: null, publishedAt: null, publishAt };
  const answers = [due, due, { ...due, publishAt: inMinutes(60) }] as unknown as PostRecord[];
  const readPost = vi.fn((_id: string) => Promise.resolve(answers[Math.min(readPost.mock.calls.length, 3) - 1]!));
  watchSchedule({ id: 'moved', publishAt }, readPost);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(readPost).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);
});
