import { spawnSync } from 'node:child_process';
import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commandEnvironment } from '../../support/host/command.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';
import { makeProject, project, readied, start, startThatFails, stop, useProject } from '../../support/host/start.ts';

/** Returns what the health report says about the pages. */
async function buildFaultOf(url: string): Promise<string> {
  return ((await (await fetch(`${url}/api/health`)).json()) as { pages: string }).pages;
}

let root: string;
beforeEach(async () => {
  root = await makeProject();
});

test('the first start builds the site, shows a password once, and serves compressed pages', async () => {
  const host = start();
  const url = await host.ready();
  expect(host.output()).toMatch(/Site: built \(\d/);
  expect(host.output()).toMatch(/Sign in at http:\S+\/admin as admin@localhost with the password [a-z2-9-]{23} /);
  const page = await fetch(url);
  expect(page.headers.get('content-encoding')).toBe('gzip');
  expect(await page.text()).toContain('<title>first</title>');
  const secret = () => readFile(join(root, '.data/session-secret'), 'utf8');
  const firstSecret = await secret();
  expect(firstSecret).toMatch(/^[\w-]{43}$/);
  const modes = ['.data', '.data/site.db', '.data/session-secret'].map(
    async (path) => (await stat(join(root, path))).mode,
  );
  expect((await Promise.all(modes)).map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  expect(host.output()).not.toContain('accepts connections from other machines');
  await stop(host);

  const again = start();
  await again.ready();
  expect(again.output()).toContain('Site: up to date');
  expect(again.output()).not.toMatch(/with the password [a-z2-9-]{23}/);
  expect(await secret()).toBe(firstSecret);
  await stop(again);
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('1');
});

test('a start after a change builds again, and so does a start with a different SITE_URL', async () => {
  await stop(await readied(start()));
  await writeFile(join(root, 'src/page.txt'), 'second');
  await writeFile(join(root, 'src/page.test.ts'), 'tests are no part of a build');
  const host = await readied(start());
  expect(await (await fetch(await host.ready())).text()).toContain('<title>second</title>');
  await stop(host);
  await stop(await readied(start({ SITE_URL: 'http://localhost:1234' })));
  await stop(await readied(start({ SITE_URL: 'http://localhost:1234' })));
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('3');
});

test('if a build fails, the start serves the last good build, and the health report says so until a build succeeds', async () => {
  await writeFile(join(root, 'src/page.txt'), 'broken');
  expect(await startThatFails()).toMatch(/page\.txt is broken[\s\S]*The build failed/);
  await writeFile(join(root, 'src/page.txt'), 'first');
  await stop(await readied(start()));

  await writeFile(join(root, 'src/page.txt'), 'broken');
  const broken = start();
  const url = await broken.ready();
  expect(broken.output()).toMatch(/page\.txt is broken[\s\S]*The site serves its last good build/);
  expect(broken.output()).not.toMatch(/^ {4}at /m);
  expect(await (await fetch(url)).text()).toContain('<title>first</title>');
  expect((await fetch(`${url}/api/slow`)).status).toBe(200);
  expect(await buildFaultOf(url)).toContain('The build failed');
  await stop(broken);

  await writeFile(join(root, 'src/page.txt'), 'third');
  const mended = start();
  expect(await (await fetch(await mended.ready())).text()).toContain('<title>third</title>');
  expect(await buildFaultOf(await mended.ready())).toBe('ok');
  await stop(mended);
});

test('in a container with another SITE_URL than that of the image, the site says to build the image again', async (context) => {
  const disk = await smallDisk(64, context);
  await stop(await readied(start()));
  await cp(root, disk.folder, { recursive: true });
  useProject(disk.folder, join(root, '.data'));
  disk.remount('ro');
  const inContainer = await readied(start({ SITE_URL: 'http://localhost:1234' }));
  expect(inContainer.output()).toContain('docker compose up --detach --build');
  expect(inContainer.output()).toMatch(/^Sign in at http:\/\/localhost:1234\/admin as /m);
  expect(await buildFaultOf(await inContainer.ready())).toContain('build the image again');
  await stop(inContainer);

  useProject(root);
  await rm(join(root, '.cache'), { recursive: true });
  await writeFile(join(root, '.cache'), 'no folder');
  const elsewhere = await readied(start({ SITE_URL: 'http://localhost:1234' }));
  expect(elsewhere.output()).toMatch(/no build can start: E.*\.cache.*\. The site serves its last good build\./);
  expect(elsewhere.output()).not.toContain('docker');
  await stop(elsewhere);
});

test('a build does not replace the files of a site that runs in the same folder', async () => {
  const host = start();
  const url = await host.ready();
  await writeFile(join(root, 'src/page.txt'), 'second');
  const built = spawnSync(process.execPath, [join(project, 'host/build/build.ts')], {
    cwd: root,
    env: commandEnvironment(),
    encoding: 'utf8',
  });
  expect(built).toMatchObject({ status: 1, stderr: expect.stringContaining('Restart the site') });
  expect(await (await fetch(url)).text()).toContain('<title>first</title>');
  await stop(host);
});

test('two starts in one folder at the same time build once, and both serve the build', async () => {
  await writeFile(join(root, 'src/page.txt'), 'slow');
  const hosts = [start({ DATA_DIR: '.data-one' }), start({ DATA_DIR: '.data-two' })];
  for (const host of hosts) {
    expect(await (await fetch(await host.ready())).text()).toContain('<title>slow</title>');
  }
  expect(hosts.map((host) => host.output()).join()).toContain('another process is building in this folder');
  expect(await readFile(join(root, 'runs'), 'utf8')).toBe('1');
});
