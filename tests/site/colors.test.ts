import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const tokens = readFileSync('src/styles/tokens.css', 'utf8');
/** The colors of each scheme: `light-dark(LIGHT, DARK)`, or one color for areas that are dark in both schemes. */
const colors = [...tokens.matchAll(/--color-([a-z-]+): (?:light-dark\((#\w+), )?(#\w+)/g)];
const schemes = {
  light: Object.fromEntries(colors.map(([, name, light, dark]) => [name!, light ?? dark!])),
  dark: Object.fromEntries(colors.map(([, name, , dark]) => [name!, dark!])),
};

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(scheme: 'light' | 'dark', one: string, other: string): number {
  const [darker, lighter] = [one, other].map((name) => luminance(schemes[scheme][name]!)).toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

describe.each(['light', 'dark'] as const)('In the %s scheme', (scheme) => {
  test.each(['paper', 'raised', 'highlight'])('text has a contrast of 7:1 and controls 3:1 on %s', (surface) => {
    for (const text of ['ink', 'ink-soft', 'accent', 'alert']) {
      expect(contrast(scheme, text, surface), text).toBeGreaterThanOrEqual(7);
    }
    expect(contrast(scheme, 'rule-strong', surface)).toBeGreaterThanOrEqual(3);
  });

  test('text on buttons and notices has a contrast of 7:1', () => {
    expect(contrast(scheme, 'on-accent', 'accent')).toBeGreaterThanOrEqual(7);
    expect(contrast(scheme, 'on-alert', 'alert')).toBeGreaterThanOrEqual(7);
  });
});

test('text on the closing band, which is dark in both schemes, has a contrast of 7:1', () => {
  for (const text of ['ink', 'ink-soft', 'accent']) {
    expect(contrast('dark', text, 'closing'), text).toBeGreaterThanOrEqual(7);
  }
});
