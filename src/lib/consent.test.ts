import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyticsAllowed, readConsent, resetConsent, storeConsent } from './consent.ts';

let stored: Map<string, string>;
let cookies: string[];
let jar: string;

beforeEach(() => {
  stored = new Map();
  cookies = [];
  jar = 'other=1';
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('document', {
    get cookie() {
      return jar;
    },
    set cookie(value: string) {
      cookies.push(value);
    },
  });
  vi.stubGlobal('navigator', {});
});
afterEach(() => vi.unstubAllGlobals());

function block(): void {
  const refuse = (): never => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
}

test('a choice is kept in local storage and in a cookie of one year', () => {
  expect(readConsent()).toBeNull();
  storeConsent('true');
  expect(readConsent()).toBe('true');
  expect(stored.get('cookies-accepted')).toBe('true');
  expect(cookies).toEqual(['cookies-accepted=true; Max-Age=31536000; Path=/; SameSite=Lax; Secure']);
});

test('with blocked storage, nothing throws, and the cookie still works', () => {
  block();
  expect(readConsent()).toBeNull();
  storeConsent('declined');
  resetConsent();
  jar = 'a=b; cookies-accepted=declined';
  expect(readConsent()).toBe('declined');
});

test('an invalid value counts as no choice', () => {
  stored.set('cookies-accepted', 'false');
  jar = 'cookies-accepted=maybe; xcookies-accepted=true';
  expect(readConsent()).toBeNull();
});

test('analytics need consent and no Global Privacy Control', () => {
  expect(analyticsAllowed()).toBe(false);
  storeConsent('declined');
  expect(analyticsAllowed()).toBe(false);
  storeConsent('true');
  expect(analyticsAllowed()).toBe(true);
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  expect(analyticsAllowed()).toBe(false);
});
