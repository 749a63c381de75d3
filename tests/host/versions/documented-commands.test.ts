import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandEnvironment, runCommand } from '../../support/host/command.ts';
import { inbox, inquiryOf, openData } from '../../support/host/data-folder.ts';
import { commit, git } from '../../support/host/installation.ts';
import { project } from '../../support/host/start.ts';

/** The commands that this test does not run, by the reason. */
const notRun: Record<string, RegExp> = {
  'changes the packages, services or accounts of the machine':
    /^(sudo (apt|systemctl|journalctl|useradd|certbot) .*|.* \/etc\/.*)\n/gm,
  'opens an editor': /^sudo -u site nano .*\n/gm,
  'deploy-examples.test.ts runs nginx and Caddy with this page': /^.* dist\/unavailable\.html .*\n/gm,
  'doctor.test.ts runs it; asks for the public URL': /^sudo -u site npm run doctor\n/gm,
  'upgrade.test.ts runs it with systemd': /^sudo -u site npm run (upgrade|rollback).*\n/gm,
  'npm test runs it': /^npm run build\n/gm,
  'needs Docker': /^docker .*\n/gm,
  'needs a second machine; copied-build.test.ts serves a copy of a build': /^(rsync|ssh) .*\n/gm,
  'needs Netlify; backup.test.ts runs it with servers on this machine': /^export LIBSQL_URL=[^]*/gm,
  'needs age, which asks for a password': /^age .*\n/gm,
};

/** A folder that takes the place of `/`. */
let root: string;
const at = (path: string) => join(root, path);
const current = () => at('srv/site/current');
/** The repository of the firm. It has what the commands need. */
let repository: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'documented-')));
  repository = at('repository');
  for (const part of ['package.json', '.env.example', '.gitignore', 'scripts', 'host', 'netlify', 'src', 'content']) {
    await cp(join(project, part), join(repository, part), { recursive: true });
  }
  git(repository, 'init', '--quiet');
  commit(repository);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Returns the blocks of commands in a document, without comments. Each block begins and ends with a line break. */
async function blocksOf(document: string): Promise<string[]> {
  const text = await readFile(join(project, 'docs', document), 'utf8');
  return [...text.matchAll(/^( *)```sh(\n[^]*?\n)\1```$/gm)].map(([, , block = '']) =>
    block.replaceAll(/^ +| +# .*/gm, ''),
  );
}

/** Adapts a block to an account that is not root, and to the folder that takes the place of `/`. */
function adapted(block: string): string {
  return Object.values(notRun)
    .reduce((script, commands) => script.replaceAll(commands, ''), block)
    .replaceAll(/^sudo (-u site )?/gm, '')
    .replaceAll(/ -o (site|1000) -g (site|1000)/g, '')
    .replaceAll('backup-2026-11-21-031500.tar.gz', 'backup-*.tar.gz')
    .replaceAll(/(?<= |=)\/(?=srv|var|mnt)/g, `${root}/`)
    .replaceAll('ADDRESS-OF-YOUR-REPOSITORY', repository);
}

/**
 * Runs each block of a document as one script, which ends at the first command that fails.
 * @param before what to do before the block with a command.
 */
async function follow(document: string, cwd: () => string, before: Record<string, () => Promise<unknown>>) {
  for (const block of await blocksOf(document)) {
    for (const [command, prepare] of Object.entries(before)) if (block.includes(`\n${command}\n`)) await prepare();
    await promisify(execFile)('sh', ['-ec', adapted(block)], { cwd: cwd(), env: commandEnvironment({ HOME: root }) });
  }
}

test('Each command of docs/deploy.md and docs/operate.md works on a new server, or is listed with the reason why no test runs it', async () => {
  const blocks = (await Promise.all(['deploy.md', 'operate.md'].map(blocksOf))).flat();
  for (const commands of Object.values(notRun)) expect(blocks.join('')).toMatch(commands);

  await follow('deploy.md', () => root, {
    // Step 2 of the document, and the packages, which a machine without a network cannot download.
    'sudo -u site npm run doctor': async () => {
      await symlink(join(project, 'node_modules'), join(current(), 'node_modules'));
      const variables = {
        CONTEXT: 'production',
        // Another program may use the default port.
        PORT: '0',
        DATA_DIR: at('var/lib/site'),
        SITE_URL: 'https://www.firm.example',
        SESSION_SECRET: 'x'.repeat(32),
        ADMIN_EMAIL: 'owner@firm.example',
        ADMIN_PASSWORD: 'correct horse battery',
      };
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(join(current(), '.env'), lines.join(''));
    },
  });
  expect(await readFile(at('site/.env'), 'utf8')).toContain(`BACKUPS=${at('mnt/safe')}\n`);

  const data = at('var/lib/site');
  const site = await openData(data);
  await site.stores.submissions.create('inquiry', inquiryOf('1'));
  await site.close();
  await follow('operate.md', current, {
    // The last admin cannot be removed.
    'npm run admin -- list': () => runCommand('admin', ['create', 'owner@firm.example'], { DATA_DIR: data }),
  });
  const restored = await openData(data);
  expect((await restored.stores.submissions.list('inquiry', inbox())).data).toHaveLength(1);
  await restored.close();
  expect((await runCommand('admin', ['list'], { DATA_DIR: data })).output).toMatch(/^owner@firm\.example .*\n$/);
});
