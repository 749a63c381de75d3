import { adminAddresses, storeNotice } from './notices.ts';
import type { Services } from './services.ts';

const hour = 60 * 60_000;

/** Counts within an hour that are reported as a flood. An ordinary day has a few of each. */
export const floodLimits = { refusals: 1_000, failedSignIns: 50, quarantined: 100 } as const;

/** Tells the admins of a flood, once a day for each kind. */
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
    subject: `The website refused ${count} requests within an hour`,
    paragraphs: [
      `The site refused ${count} requests within the last hour because they came too fast or from another site.`,
      'The limits do their work, and other visitors are served. If this goes on, block the addresses in your firewall or at your hosting provider.',
    ],
  }),
  failedSignIns: (count: string) => ({
    subject: `${count} failed sign-ins to the website within an hour`,
    paragraphs: [
      `Someone tried to sign in ${count} times within the last hour and failed.`,
      'The site slows such attempts down. Make sure that every admin has a long password that is used nowhere else, or a passkey.',
    ],
  }),
  quarantined: (count: string) => ({
    subject: `${count} suspicious submissions within an hour`,
    paragraphs: [
      `${count} inquiries and applications of the last hour look like spam, so the site put them into quarantine.`,
      'No one was emailed about them. Open Contact Submissions, Quarantine to check for genuine ones.',
    ],
  }),
} as const;
