import { afterEach, beforeEach } from 'vitest';
import authStatus from '../../netlify/functions/auth-status.ts';
import login from '../../netlify/functions/login.ts';
import { hashPassword } from './passwords.ts';
import { type Sent, type TestServices, call, testServices } from './services.ts';

export const email = 'owner@firm.example';
export const password = 'correct horse battery';
export const passwordHash = await hashPassword(password);

/** Returns all cookies of a response, as a browser sends them back. */
export const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
export const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Provides services with one admin for each test, and functions that sign in. Call it once in a file. */
export function usePasswordSignIn() {
  let site: TestServices;
  const open = async (...given: Parameters<typeof testServices>) => {
    site = await testServices(...given);
    await site.services.stores.admins.createFirst({ email, passwordHash }, new Date().toISOString());
  };
  beforeEach(() => open());
  afterEach(() => site.close());
  return {
    get site() {
      return site;
    },
    /** Starts the services again with other variables and a new database. */
    restart: async (...given: Parameters<typeof testServices>) => {
      await site.close();
      await open(...given);
    },
    signIn: (changes: Sent = {}) => call(login, '/api/login', site.services, { json: { email, password }, ...changes }),
    status: (headers: { cookie: string } | { authorization: string }) =>
      call(authStatus, '/api/auth/status', site.services, { headers: { ...headers } }),
  };
}
