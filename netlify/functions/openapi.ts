import * as z from 'zod/mini';
import type * as Sources from '../api-functions.ts';
import { apiDocument } from '../server/http/api-document.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { publicJson } from '../server/http/respond.ts';

/**
 * The API document. `netlify/bundle.ts` inserts it at build time, because a bundled function cannot import the other
 * functions.
 */
declare const API_DOCUMENT: object | undefined;

let document: Promise<object> | undefined;

async function madeOfSources(): Promise<object> {
  // An address that is not a literal keeps the bundler from including all other functions in this one.
  const source = new URL('../api-functions.ts', import.meta.url).href;
  const { apiFunctions } = (await import(/* @vite-ignore */ source)) as typeof Sources;
  return apiDocument(await apiFunctions());
}

export default endpoint(
  { requestsAMinute: 600 },
  on('GET', '/api/openapi.json', {
    access: 'public',
    summary: 'This document',
    output: z.looseObject({ openapi: z.string() }),
    run: async ({ request }) => {
      document ??= typeof API_DOCUMENT === 'undefined' ? madeOfSources() : Promise.resolve(API_DOCUMENT);
      return publicJson(await document, request, ['openapi']);
    },
  }),
);
