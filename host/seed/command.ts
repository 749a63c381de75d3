import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Env } from '../../netlify/server/env.ts';
import { ownEnvironment } from '../environment.ts';
import { failStart } from '../process.ts';
import type { Added, Amounts } from './seed.ts';

const usual: Amounts = { posts: 24, media: 24, inquiries: 60, applications: 20 };
const most = 1_000_000;

const usage = `Fills the site of this machine with made-up data, for demos and tests. Nothing is mailed, and nothing that is there is changed.

  npm run seed                                      ${usual.posts} posts, ${usual.media} files, ${usual.inquiries} inquiries, ${usual.applications} applications
  npm run seed -- --posts 10000 --media 1000 --inquiries 100000 --applications 10000
  npm run seed -- --random-seed 2                   others; the same number again adds nothing
  npm run seed -- --yes                             also where LIBSQL_URL names a database server

It refuses where the site is in production (CONTEXT=production, or an https SITE_URL).`;

const names: Record<keyof Added, string> = {
  posts: 'posts',
  media: 'files',
  inquiries: 'inquiries',
  applications: 'applications',
  sections: 'home texts',
};

/** What is in the way, in words for the person at the terminal. */
class SeedError extends Error {}

interface Wanted {
  readonly amounts: Amounts;
  readonly seed: number;
  readonly yes: boolean;
}

/** @throws {SeedError} with how the command is used. */
function wantedOf(words: string[]): Wanted {
  const text = { type: 'string' } as const;
  const options = { posts: text, media: text, inquiries: text, applications: text, 'random-seed': text } as const;
  try {
    const { values } = parseArgs({ args: words, options: { ...options, yes: { type: 'boolean', default: false } } });
    const number = (name: keyof typeof options, otherwise: number): number => {
      const given = values[name];
      if (given === undefined) return otherwise;
      if (!/^\d+$/.test(given) || Number(given) > most) {
        throw new SeedError(`--${name} is a whole number up to ${most.toLocaleString('en-US')}, not ${given}.`);
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

/** @throws {SeedError} where made-up people could be taken for real ones. */
function requireHarmless(env: Env, yes: boolean): void {
  if (env.production || env.SITE_URL?.startsWith('https:')) {
    throw new SeedError(
      'This site is in production (CONTEXT=production, or an https SITE_URL): made-up people do not belong among real ones.',
    );
  }
  if (env.LIBSQL_URL !== undefined && !env.LIBSQL_URL.startsWith('file:') && !yes) {
    throw new SeedError(
      'LIBSQL_URL names a database server, which others may use too. Add --yes if you mean that one.',
    );
  }
}

async function main(): Promise<void> {
  const { amounts, seed, yes } = wantedOf(process.argv.slice(2));
  const env = ownEnvironment();
  requireHarmless(env, yes);
  process.umask(0o077);
  // Loaded here, so that a refused command does not wait for it.
  const { fillSite } = await import('./fill.ts');
  const { added, seconds } = await fillSite(env, amounts, seed, (noun, count) => {
    console.log(`${count.toLocaleString('en-US').padStart(9)} ${names[noun]}`);
  });
  const place = env.LIBSQL_URL ?? env.DATA_DIR;
  const nothing = Object.values(added).every((count) => count === 0);
  console.log(
    nothing
      ? `${place} holds what --random-seed ${seed} makes up already: nothing was added.`
      : `Added to ${place} in ${seconds.toFixed(1)} s, with --random-seed ${seed}. Nothing is mailed to anybody of them.`,
  );
  console.log('A site that runs shows new posts once it is started again, or a post is saved.');
}

await main().catch((error: unknown) => {
  if (!(error instanceof SeedError)) failStart(error);
  console.error(error.message);
  process.exitCode = 1;
});
