import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Env } from '../../netlify/server/runtime/env.ts';
import { ownEnvironment } from '../environment.ts';
import { failStart } from '../process.ts';
import type { Added, Amounts } from './seed.ts';

const usual: Amounts = { posts: 24, media: 24, inquiries: 60, applications: 20 };
const most = 1_000_000;

const usage = `Fills the site on this machine with made-up data, for demos and tests. It sends no email and changes no existing data.

  npm run seed                                      ${usual.posts} posts, ${usual.media} files, ${usual.inquiries} inquiries, ${usual.applications} applications
  npm run seed -- --posts 10000 --media 1000 --inquiries 100000 --applications 10000
  npm run seed -- --random-seed 2                   other data; the same number again adds nothing
  npm run seed -- --yes                             also if LIBSQL_URL names a database server

It refuses a site in production (CONTEXT=production, or an https SITE_URL).`;

const names: Record<keyof Added, string> = {
  posts: 'posts',
  media: 'files',
  inquiries: 'inquiries',
  applications: 'applications',
  sections: 'home texts',
};

/** An error for the person at the terminal. The command prints only its message, without the stack. */
class SeedError extends Error {}

interface Wanted {
  readonly amounts: Amounts;
  readonly seed: number;
  readonly yes: boolean;
}

/** Reads the arguments of the command. @throws {SeedError} with usage instructions if the arguments are invalid. */
function wantedOf(words: string[]): Wanted {
  const text = { type: 'string' } as const;
  const options = { posts: text, media: text, inquiries: text, applications: text, 'random-seed': text } as const;
  try {
    const { values } = parseArgs({ args: words, options: { ...options, yes: { type: 'boolean', default: false } } });
    const number = (name: keyof typeof options, otherwise: number): number => {
      const given = values[name];
      if (given === undefined) return otherwise;
      if (!/^\d+$/.test(given) || Number(given) > most) {
        throw new SeedError(`--${name} must be a whole number up to ${most.toLocaleString('en-US')}, not ${given}.`);
      }
      return Number(given);
    };
    const amounts = {
      posts: number('posts', usual.posts),
      media: number('media', usual.media),
      inquiries: number('inquiries', usual.inquiries),
      applications: number('applications', usual.applications),
    };
    return { amounts, seed: number('random-seed', 1), yes: values.yes };
  } catch (error) {
    if (error instanceof SeedError) throw error;
    throw new SeedError(usage);
  }
}

/**
 * @throws {SeedError} for a site in production, because generated people could be mistaken for real ones. Also throws
 * for a database server, which other people may use, unless `yes` is true.
 */
function requireHarmless(env: Env, yes: boolean): void {
  if (env.production || env.SITE_URL?.startsWith('https:')) {
    throw new SeedError(
      'This site is in production (CONTEXT=production, or an https SITE_URL), so no made-up data was added. Run the command on a test site.',
    );
  }
  if (env.LIBSQL_URL !== undefined && !env.LIBSQL_URL.startsWith('file:') && !yes) {
    throw new SeedError('LIBSQL_URL names a database server that other people may use. To fill it anyway, add --yes.');
  }
}

async function main(): Promise<void> {
  const { amounts, seed, yes } = wantedOf(process.argv.slice(2));
  const env = ownEnvironment();
  requireHarmless(env, yes);
  process.umask(0o077);
  // Imported here, so a refused command does not load these modules.
  const { fillSite } = await import('./fill.ts');
  const { added, seconds } = await fillSite(env, amounts, seed, (noun, count) => {
    console.log(`${count.toLocaleString('en-US').padStart(9)} ${names[noun]}`);
  });
  const place = env.LIBSQL_URL ?? env.DATA_DIR;
  const nothing = Object.values(added).every((count) => count === 0);
  console.log(
    nothing
      ? `${place} already has the data of --random-seed ${seed}. Nothing was added.`
      : `Added to ${place} in ${seconds.toFixed(1)} s, with --random-seed ${seed}. No email is sent to these people.`,
  );
  console.log('A running site shows the new posts after a restart, or after an admin saves a post.');
}

await main().catch((error: unknown) => {
  if (!(error instanceof SeedError)) failStart(error);
  console.error(error.message);
  process.exitCode = 1;
});
