import { adminAddresses, storeNotice } from '../outbox/notices.ts';
import type { Services } from '../services.ts';

const hour = 60 * 60_000;

/** Counts within an hour that are reported as a flood. An ordinary day has a few events of each kind. */
export const floodLimits = { refusals: 1_000, failedSignIns: 50, quarantined: 100 } as const;

/** Notifies the admins of a flood, once a day for each kind. */
export async function watchFloods(services: Services): Promise<void> {
  const { stores, now } = services;
  const at = now();
  const hourAgo = new Date(at.getTime() - hour).toISOString();
  const [refusals, failedSignIns, inquiries, applications] = await Promise.all([
    stores.activity.mostRefusedInAnHour(hourAgo),
    stores.signInAttempts.failedSince(hourAgo),
    stores.inquiries.quarantinedSince(hourAgo),
    stores.applications.quarantinedSince(hourAgo),
  ]);
  const counts = { refusals, failedSignIns, quarantined: inquiries + applications };
  for (const kind of Object.keys(floodLimits) as (keyof typeof floodLimits)[]) {
    const count = counts[kind];
    if (count < floodLimits[kind]) continue;
    await storeNotice(services, {
      key: `flood-${kind}:${at.toISOString().slice(0, 10)}`,
      ...words[kind](count.toLocaleString('en-US')),
      to: await adminAddresses(services),
    });
  }
}

const words = {
  refusals: (count: string) => ({
    subject: `The website blocked ${count} requests within an hour`,
    paragraphs: [
      `The site blocked ${count} requests within the last hour. They came too fast or came from another website, so they were probably automated.`,
      'The limits on requests are working, and other visitors can use the site. If this continues, ask the person who manages the server to block the addresses that send the requests.',
    ],
  }),
  failedSignIns: (count: string) => ({
    subject: `${count} failed sign-ins to the website within an hour`,
    paragraphs: [
      `Someone tried to sign in ${count} times within the last hour and failed.`,
      'The site slows down repeated attempts. Make sure that every admin has a passkey, or a long password that they use nowhere else.',
    ],
  }),
  quarantined: (count: string) => ({
    subject: `${count} suspicious submissions within an hour`,
    paragraphs: [
      `${count} inquiries and applications from the last hour look like spam, so the site put them in quarantine.`,
      'The site sent no emails about them. To look for genuine inquiries and applications, open Contact Submissions > Quarantine.',
    ],
  }),
} as const;
