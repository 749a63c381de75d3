import { connect } from '../../netlify/server/platform/connect-database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import type { Env } from '../../netlify/server/runtime/env.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { openPlatform } from '../data/platform.ts';
import { type Added, type Amounts, seedSite } from './seed.ts';

/**
 * Migrates the site's database, and fills the site with generated data.
 * @param env the environment that names the database and the data folder.
 * @param say called after all items of one kind are added.
 */
export async function fillSite(
  env: Env,
  amounts: Amounts,
  seed: number,
  say: (noun: keyof Added, count: number) => void,
): Promise<{ added: Added; seconds: number }> {
  const platform = await openPlatform(env);
  lendPlatform(platform);
  const database = await connect(platform.env);
  try {
    await migrate(database);
    const began = Date.now();
    const added = await seedSite(amounts, seed, servicesOf(platform.env, database, platform.openBlobStore), say);
    return { added, seconds: (Date.now() - began) / 1000 };
  } finally {
    database.close();
    await platform.close();
  }
}
