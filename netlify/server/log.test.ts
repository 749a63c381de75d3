import { describe, expect, test, vi } from 'vitest';
import { takeLog } from '../../tests/support/console.ts';
import { linesAMinute, logError, logInfo, structureConsole } from './log.ts';

const lines = () => takeLog().map((line) => JSON.parse(line) as Record<string, unknown>);

describe('A log line', () => {
  test('is one line of JSON with a limited length for any error', () => {
    const error = new Error(`first\nsecond ${'x'.repeat(100_000)}`, { cause: new Error('y'.repeat(100_000)) });
    logError('something failed', { note: 'z'.repeat(100_000) }, error);
    const [text = ''] = takeLog();
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(10_000);
    expect(JSON.parse(text)).toMatchObject({ level: 'error', event: 'something failed' });
  });

  test('is limited in number per minute for each event', () => {
    vi.useFakeTimers();
    for (let index = 0; index < linesAMinute + 500; index += 1) logError('a flood', { index });
    for (let index = 0; index < linesAMinute + 300; index += 1) logInfo('a crowd', { index });
    logError('something else', {});
    const events = lines().map(({ event }) => event);
    expect(events.filter((event) => event === 'a flood')).toHaveLength(linesAMinute);
    expect(events.at(-1)).toBe('something else');
    vi.advanceTimersByTime(60_000);
    expect(lines()).toMatchObject([
      { level: 'error', event: 'lines left out', of: 'a flood', count: 500 },
      { level: 'info', event: 'lines left out', of: 'a crowd', count: 300 },
    ]);
    vi.useRealTimers();
  });

  test('is also JSON if a library prints text to the console', () => {
    const { error, warn, log, info, debug } = console;
    structureConsole();
    console.error('Something broke:', new Error('no\ntext'));
    console.warn('A %s warning', 'formatted');
    logError('an event', {});
    Object.assign(console, { error, warn, log, info, debug });
    const [first, second, third] = lines();
    expect(first).toMatchObject({
      event: 'console',
      text: expect.stringContaining('Something broke: Error: no\ntext'),
    });
    expect(second).toMatchObject({ event: 'console', text: 'A formatted warning' });
    expect(third).toMatchObject({ event: 'an event' });
  });
});
