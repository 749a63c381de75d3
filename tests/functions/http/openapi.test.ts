import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { apiFunctions } from '../../../netlify/api-functions.ts';
import { apiDocument, schemaOf } from '../../../netlify/server/http/api-document.ts';
import { apiExamples, sharedWords } from '../../../netlify/server/http/api-words.ts';
import type { Route } from '../../../netlify/server/http/endpoint.ts';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import { signedInAdmin } from '../../support/api/admins.ts';
import { type TestServices, call, testServices } from '../../support/api/services.ts';

const functions = await apiFunctions();
const routes = Object.values(functions).flatMap((handler) =>
  handler.routes.map((route) => ({ handler, route, is: `${route.method} ${route.path}` })),
);

let site: TestServices;
let headers: { authorization: string };
beforeAll(async () => {
  site = await testServices();
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  headers = await signedInAdmin(site.services);
});
afterAll(async () => {
  lendPlatform(undefined);
  await site.close();
});

describe('The API document', () => {
  const { paths } = apiDocument(functions) as { paths: Record<string, Record<string, Operation>> };

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(apiDocument(functions));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('contains every route of every function, with its purpose, its responses and its errors', () => {
    const listed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(listed).toContain('POST /api/contact');
    expect(listed.sort()).toEqual(routes.map(({ is }) => is).sort());
    for (const { route, is } of routes) expect(route.spec.summary, `${is} needs a summary`).toBeTruthy();
    const { responses } = paths['/api/login']!.post!;
    expect(responses[401]!.description).toBe('`unauthorized`: The email address or password is incorrect.');
    expect(responses[409]).toBeUndefined();
    const erase = paths['/api/contact/erase']!.post!;
    expect(erase.description).toMatch(/^Requires a sign-in within the last 10 minutes/);
    expect(erase.responses[403]!.description).toMatch(/^`forbidden_origin`: [\s\S]*`fresh_sign_in`: /);
    const exported = paths['/api/contact/submissions.csv']!.get!;
    expect(exported.responses[403]!.description).toMatch(/^`fresh_sign_in`: /);
    // The file has all pages of the list.
    expect(exported.parameters.map(({ name }) => name)).toEqual(['q', 'sort', 'status']);
  });

  test('describes each parameter and property', () => {
    const words = new Set<unknown>();
    const check = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties = {}, parameters = [] } = node as Described;
      const named = [...Object.entries(properties), ...parameters.map((one) => [one.name, one] as const)];
      for (const [name, { description }] of named) {
        expect(
          description,
          `${where} ${name} needs a comment in its schema, or a description in api-words.ts`,
        ).toBeTruthy();
        words.add(description);
      }
      for (const value of Object.values(node)) check(value, where);
    };
    const document = apiDocument(functions);
    for (const [part, content] of Object.entries(document)) check(content, part);
    // A description comes from a comment, which could name things that only the code has.
    for (const [, name] of [...words].join('\n').matchAll(/`([a-z]\w*)`/g)) {
      expect(JSON.stringify(document), `${name} is in no schema`).toContain(`"${name}"`);
    }
    expect(Object.entries(sharedWords).flatMap(([name, text]) => (words.has(text) ? [] : name))).toEqual([]);
  });

  test('has examples of three calls, which fit their schemas', () => {
    const shown = routes.filter(({ is }) => is in apiExamples);
    const names = ['GET /api/cms/blog-posts/published', 'POST /api/contact', 'POST /api/login'];
    expect(shown.map(({ is }) => is).sort()).toEqual(names);
    for (const { route, is } of shown) {
      const { input, output } = apiExamples[is]!;
      if (route.spec.input) expect(route.spec.input.safeParse(input).success).toBe(true);
      expect((route.spec.output as z.ZodMiniType).parse(output)).toEqual(output);
    }
    const { requestBody } = paths['/api/contact']!.post!;
    const example = apiExamples['POST /api/contact']!.input;
    expect(requestBody).toMatchObject({ content: { 'application/json': { example } } });
  });

  test('gives every operation a unique name', () => {
    const names = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });
});

test.for(routes.map(({ is, handler, route }) => [is, handler, route] as const))(
  '%s never returns a server error, for any request',
  async ([, handler, route]) => {
    const { input, query, file } = route.spec;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constant('x'), fc.string({ minLength: 1, unit: 'binary' })),
        query ? arbitraryOf(schemaOf(query, 'input')) : fc.constant({}),
        input ? arbitraryOf(schemaOf(input, 'input')) : fc.constant(file ? {} : undefined),
        async (part, asked, json) => {
          const response = await call(handler, addressOf(route, part, asked), site.services, {
            method: route.method,
            headers,
            json,
          });
          await response.body?.cancel();
          expect(response.status).toBeLessThan(500);
        },
      ),
      { numRuns: 10 },
    );
  },
);

function addressOf(route: Route, part: string, query: unknown): string {
  const path = route.path.replace(/:\w+/g, encodeURIComponent(part.toWellFormed()));
  const pairs = Object.entries(Object(query) as object).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
  );
  return `${path}?${new URLSearchParams(pairs)}`;
}

interface Described {
  properties?: Record<string, { description?: string }>;
  parameters?: { name: string; description?: string }[];
}

interface Operation {
  operationId: string;
  description?: string;
  parameters: { name: string }[];
  requestBody?: object;
  responses: Record<string, { description: string }>;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

/** Values of each type, which a schema may or may not accept. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  integer: fc.integer(),
  number: fc.double(),
  boolean: fc.boolean(),
  string: fc.oneof(
    fc.string({ maxLength: 300, unit: 'binary' }),
    fc.constantFrom('', 'x', 'https://a.example/b.png', 'a@firm.example', '{}', '2026-01-01T00:00:00.000Z', '<b>x</b>'),
  ),
};

/** Generates values for a schema: most are valid, some have only the right type, and some are arbitrary. */
function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting({ type = '', anyOf, properties = {}, items = {}, ...one }: JsonSchema): fc.Arbitrary<unknown> {
  if (one.enum || 'const' in one) return fc.constantFrom(...(one.enum ?? [one.const]));
  if (anyOf) return fc.oneof(...anyOf.map(arbitraryOf));
  if (type === 'array') return fc.array(arbitraryOf(items), { maxLength: 5 });
  if (type !== 'object') return values[type] ?? fc.jsonValue();
  const fields = Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
}
