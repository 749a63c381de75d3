import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImageHandler } from '@netlify/images';
import { type CheerioAPI, load } from 'cheerio';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHost } from '../../host/server.ts';
import { readEnv } from '../../netlify/server/runtime/env.ts';

/** The folder of a site with one page, which shows a team photo as the home page does. */
let root: string;
let host: Awaited<ReturnType<typeof startHost>>;
let $: CheerioAPI;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'team-photo-'));
  await mkdir(join(root, 'src/assets'), { recursive: true });
  await mkdir(join(root, 'src/components'));
  await mkdir(join(root, 'src/pages'));
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  await cp('src/components/TeamPicture.astro', join(root, 'src/components/TeamPicture.astro'));
  const background = '#0b4f36';
  await sharp({ create: { width: 2400, height: 1350, channels: 3, background } })
    .jpeg()
    .toFile(join(root, 'src/assets/team.jpg'));
  await writeFile(
    join(root, 'src/pages/index.astro'),
    "---\nimport TeamPicture from '../components/TeamPicture.astro';\n---\n<TeamPicture />\n",
  );
  await writeFile(
    join(root, 'astro.config.mjs'),
    "import netlify from '@astrojs/netlify';\nexport default { output: 'static', adapter: netlify(), session: false };\n",
  );
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await writeFile(join(root, 'netlify.toml'), '');
  const astro = join(process.cwd(), 'node_modules/.bin/astro');
  await promisify(execFile)(astro, ['build'], { cwd: root, env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' } });
  // The build's server function matches every path (host/netlify-output.ts). Without the function, the host serves
  // the files.
  await rm(join(root, '.netlify/v1/functions'), { recursive: true });
  $ = load(await readFile(join(root, 'dist/index.html'), 'utf8'));
  host = await startHost({ root, env: readEnv({ PORT: '0', DATA_DIR: join(root, '.data'), RATE_LIMITS: 'off' }) });
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

/** Returns the image's URLs with the width that the `srcset` states for each; null for the URL in `src`. */
function addresses(): [address: string, width: number | null][] {
  const picture = $('figure.team img');
  const sources = picture.attr('srcset')!.split(', ');
  return [
    [picture.attr('src')!, null],
    ...sources.map((source): [string, number] => {
      const [address = '', width = ''] = source.split(' ');
      return [address, Number.parseInt(width)];
    }),
  ];
}

describe('A team photo that replaces the drawing', () => {
  test('is shown in the specified widths and quality', () => {
    expect(addresses().map(([, width]) => width)).toEqual([null, 400, 800, 1200, 1600]);
    for (const [address] of addresses()) expect(address).toMatch(/^\/\.netlify\/images\?.*\bq=85\b/);
    expect($('figure.team img').attr('alt')).toBe('Our consultants');
  });

  const hosts: [string, (address: string) => Promise<Response>][] = [
    ['one machine', (address) => fetch(host.url + address)],
    [
      "Netlify's image service",
      async (address) => {
        const logger = { log: () => undefined, warn: () => undefined, error: () => undefined };
        const images = new ImageHandler({ logger });
        return await images.match(new Request(`https://site.example${address}`))!.handle(host.url);
      },
    ],
  ];
  test.each(hosts)('loads from %s', async (_, ask) => {
    for (const [address, width] of addresses()) {
      const response = await ask(address);
      expect(response.status, address).toBe(200);
      const made = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
      if (width !== null) expect(made.width, address).toBe(width);
    }
  });
});
