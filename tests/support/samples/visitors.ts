import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson } from '../host/ask.ts';
import { sessionToken } from '../host/host-process.ts';
import { anInquiry } from './inquiries.ts';

/** The response that a visitor got, and its time in milliseconds. */
interface Seen {
  readonly status: number;
  readonly ms: number;
  readonly body: string;
}

async function see(url: string, init?: RequestInit): Promise<Seen> {
  const began = performance.now();
  const response = await fetch(url, init);
  const body = await response.text();
  return { status: response.status, ms: performance.now() - began, body };
}

export const readPage = (url: string, path = '/') => see(url + path);

/** Sends an inquiry of a company. A second inquiry of the same company is a retry of the first. */
export const sendInquiry = (url: string, company: string) =>
  see(`${url}/api/contact`, sendJson(anInquiry({ company }), { 'idempotency-key': company }));

/** Waits between two visits. An upgrade lets visitors go first, so visitors without a pause would stop it. */
export const pause = () => sleep(50);

export const owner = { email: 'owner@firm.example', password: 'correct horse battery' };
export const ownerVariables = { ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password };

export const readHealth = (url: string) => see(`${url}/api/health`);

/** Returns the inquiries in the inbox that a search finds, as the owner sees them; by default all. */
export async function inquiriesIn(url: string, q = ''): Promise<{ id: string; company: string }[]> {
  const headers = { authorization: `Bearer ${await sessionToken({ url }, owner)}` };
  const inquiries: { id: string; company: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `/api/contact/submissions?limit=200&q=${q}${cursor && `&cursor=${cursor}`}`;
    const { body } = await see(url + path, { headers });
    const page = JSON.parse(body) as { data: typeof inquiries; nextCursor: string | null };
    inquiries.push(...page.data);
    cursor = page.nextCursor;
  }
  return inquiries;
}

/** Returns the companies of all inquiries in the inbox. */
export async function inquiringCompanies(url: string): Promise<string[]> {
  return (await inquiriesIn(url)).map(({ company }) => company);
}
