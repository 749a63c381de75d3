import process from 'node:process';
import { setPriority } from 'node:os';
import { Client, type Tally } from './client.ts';
import { attacks, type Target } from './attacks.ts';

/** What the bench tells this process: where the site is, what is on it, and when to stop (milliseconds since 1970). */
export interface Orders {
  readonly url: string;
  readonly until: number;
  readonly target: Target;
  /** only attacks whose name matches this pattern; empty for all. */
  readonly only: string;
}

/** What this process answers: the tally of each attack by its name. */
export type Report = Readonly<Record<string, Tally>>;

// Real attackers bring processors of their own. Here they share two cores with the host, so they yield to it.
setPriority(10);

process.once('message', (message) => {
  const { url, until, target, only } = message as Orders;
  const wanted = Object.entries(attacks).filter(([name]) => new RegExp(only).test(name));
  const clients = wanted.map(([name, attack], index) => ({
    name,
    attack,
    client: new Client(url, `127.0.1.${index + 1}`, 64),
  }));
  void Promise.allSettled(clients.map(({ attack, client }) => attack(client, until, target))).then(() => {
    const report: Report = Object.fromEntries(clients.map(({ name, client }) => [name, client.tally]));
    for (const { client } of clients) client.close();
    process.send?.(report, () => process.exit(0));
  });
});
