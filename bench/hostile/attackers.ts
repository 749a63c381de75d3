import process from 'node:process';
import { Client, type Tally } from './client.ts';
import { attacks, type Target } from './attacks.ts';

/** The message with which bench/pressure.ts starts the attacks. `until` is the end time, in milliseconds since 1970. */
export interface Orders {
  readonly url: string;
  readonly until: number;
  readonly target: Target;
  /** Runs only attacks whose name matches this pattern. An empty pattern runs all. */
  readonly only: string;
}

/** The message with the results, which bench/pressure.ts gets after the attacks: the tally of each attack, by name. */
export type Report = Readonly<Record<string, Tally>>;

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
