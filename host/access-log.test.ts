import { expect, test } from 'vitest';
import { takeLog } from '../tests/support/console.ts';
import { logAnswer } from './access-log.ts';
import { loadFunctions } from './functions.ts';

const functions = await loadFunctions({ written: 'netlify/functions', generated: null, limiter: undefined });
const lineOf = (method: string, path: string, response: Response) => {
  const request = new Request(`http://site.test${path}`, { method });
  logAnswer({ request, requestId: 'r1' }, response, functions, performance.now());
  return JSON.parse(takeLog()[0] ?? '') as Record<string, unknown>;
};

test('The access log contains the pattern of a route, and nothing that a visitor typed', () => {
  const html = { headers: { 'content-type': 'text/html', 'content-length': '12' } };
  expect(lineOf('GET', '/api/contact/submissions/secret-id?q=dana', Response.json({}))).toMatchObject({
    event: 'request',
    method: 'GET',
    route: '/api/contact/submissions/:id',
    status: 200,
    requestId: 'r1',
  });
  expect(lineOf('GET', '/uploads/secret-id/dana-resume.pdf', new Response(null))).toMatchObject({
    route: '/uploads/:id/:name',
  });
  expect(lineOf('GET', '/services', new Response('x', html))).toMatchObject({ route: 'page', bytes: 12 });
  expect(lineOf('GET', '/dana@visitors.example', new Response(null, { status: 404 })).route).toBe('unknown');
  expect(lineOf('GET', '/%ff', new Response(null, { status: 404 })).route).toBe('unknown');
});
