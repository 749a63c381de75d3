import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import type * as Sources from '../api-functions.ts';
import { apiDocument } from '../server/http/api-document.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { publicJson } from '../server/http/respond.ts';

/** Put in by `netlify/bundle.ts`: in a bundle the other functions are not at hand. */
declare const API_DOCUMENT: object | undefined;

let document: Promise<object> | undefined;

async function madeOfSources(): Promise<object> {
  // By a name that the bundler does not follow, or this function would hold all the others.
  const source = '../api-functions.ts';
  const { apiFunctions } = (await import(/* @vite-ignore */ source)) as typeof Sources;
  return apiDocument(await apiFunctions());
}

export default endpoint(
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

export const config: Config = {
  path: '/api/openapi.json',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
