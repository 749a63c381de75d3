import { expect, test } from 'vitest';
import { withPreloads } from './module-preloads.ts';

test('a page preloads each module that its islands and scripts need once, and no optional module', () => {
  const imports = new Map([
    ['/app.js', ['/shared.js', '/query.js']],
    ['/shared.js', ['/react.js']],
    ['/query.js', ['/react.js', '/shared.js']],
    ['/client.js', ['/react.js']],
    ['/tab.js', ['/shared.js']],
    ['/start.js', ['/dates.js', '/react.js']],
  ]);
  const island = '<astro-island component-url="/app.js" renderer-url="/client.js"></astro-island>';
  const script = '<script type="module" src="/start.js"></script>';
  expect(withPreloads(`<html><head><title>A</title></head><body>${island}${script}</body></html>`, imports)).toBe(
    '<html><head><title>A</title>' +
      ['/app.js', '/shared.js', '/react.js', '/query.js', '/client.js', '/start.js', '/dates.js']
        .map((address) => `<link rel="modulepreload" href="${address}">`)
        .join('') +
      `</head><body>${island}${script}</body></html>`,
  );
});

test('a page without islands does not change', () => {
  expect(withPreloads('<head></head><body></body>', new Map())).toBe('<head></head><body></body>');
});
