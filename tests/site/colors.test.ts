import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const tokens = readFileSync('src/styles/tokens.css', 'utf8');
/** The colors of each scheme: `light-dark(LIGHT, DARK)`, or one color for areas that are dark in both schemes. */
const colors = [...tokens.matchAll(/--color-([a-z-]+): (?:light-dark\((#\w+), )?(#\w+)/g)];
const schemes = {
  light: Object.fromEntries(colors.map(([, name, light, dark]) => [name!, light ?? dark!])),
  dark: Object.fromEntries(colors.map(([, name, , dark]) => [name!, dark!])),
};

const channelsOf = (color: string) =>
  [1, 3, 5, 7].map((start) => Number.parseInt(color.slice(start, start + 2) || 'ff', 16) / 255);

function luminance(channels: number[]): number {
  const [red, green, blue] = channels.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Returns the contrast of a color, which can be translucent, and the surface below it. */
function contrast(scheme: 'light' | 'dark', name: string, surface: string): number {
  const color = channelsOf(schemes[scheme][name]!);
  const ground = channelsOf(schemes[scheme][surface]!);
  const shown = color.map((part, index) => part * color[3]! + ground[index]! * (1 - color[3]!));
  const [darker, lighter] = [luminance(shown), luminance(ground)].toSorted((a, b) => a - b);
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

test('the lines between rows can be seen on every surface', () => {
  const surfaces = { light: ['paper', 'raised'], dark: ['paper', 'raised', 'closing'] } as const;
  for (const scheme of ['light', 'dark'] as const) {
    for (const surface of surfaces[scheme]) {
      expect(contrast(scheme, 'rule', surface), `${scheme} ${surface}`).toBeGreaterThanOrEqual(1.3);
    }
  }
});
