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

/** The commands that this test does not run, with the reason. A block of commands stays together. */
const notRun: Record<string, string> = {
  'sudo apt install nodejs npm git curl nginx certbot': 'changes the packages of the machine',
  'sudo -u site nano .env\nsudo -u site nano site.json': 'opens an editor',
  'sudo -u site npm run doctor': 'doctor.test.ts runs it; asks for the public URL',
  [`sudo cp docs/deploy/*.service docs/deploy/*.socket docs/deploy/*.timer /etc/systemd/system/
sudo systemctl daemon-reload
sudo systemctl enable --now site.socket site
sudo journalctl --unit site --follow`]: 'changes the services of the machine',
  [`sudo install -D -m 644 dist/unavailable.html /var/www/site/unavailable.html
sudo cp docs/deploy/nginx.conf /etc/nginx/conf.d/site.conf
sudo nano /etc/nginx/conf.d/site.conf
sudo sed -i 's/worker_connections 768/worker_connections 8192/' /etc/nginx/nginx.conf
sudo systemctl stop nginx
sudo certbot certonly --standalone -d www.example.com
sudo systemctl start nginx`]: 'changes the proxy of the machine; deploy-examples.test.ts runs nginx',
  'sudo systemctl stop site.socket': 'changes the services of the machine',
  'sudo systemctl start site.socket site': 'changes the services of the machine',
  [`sudo install -D -m 644 dist/unavailable.html /var/www/site/unavailable.html
sudo cp docs/deploy/Caddyfile /etc/caddy/Caddyfile
sudo nano /etc/caddy/Caddyfile
sudo systemctl reload caddy`]: 'changes the proxy of the machine; deploy-examples.test.ts runs Caddy',
  'sudo useradd --system --home-dir /srv/site --shell /usr/sbin/nologin site': 'changes the accounts of the machine',
  [`sudo install -m 600 /dev/null /etc/site-alarm.conf
sudo nano /etc/site-alarm.conf
sudo systemctl enable --now site-check.timer
sudo systemctl start site-alarm && sudo systemctl reset-failed site-alarm`]: 'changes the services of the machine',
  'docker compose up --detach --build': 'needs Docker',
  'docker compose exec site npm run doctor': 'needs Docker',
  'docker compose stop site': 'needs Docker',
  'docker compose run --rm site mv /data/site /data/site.old-2026-11-21': 'needs Docker',
  'docker compose run --rm site npm run restore -- /backups/NAME.tar.gz': 'needs Docker',
  'docker compose up --detach': 'needs Docker',
  'sudo -u site npm run upgrade': 'upgrade.test.ts runs it with systemd',
  'sudo -u site npm run upgrade -- v1.2.0': 'upgrade.test.ts runs it with systemd',
  'sudo -u site npm run upgrade -- .': 'upgrade.test.ts runs it with systemd',
  'sudo -u site npm run rollback': 'upgrade.test.ts runs it with systemd',
  'npm run build': 'npm test runs it',
  "rsync --archive --delete --exclude={'/.env','/.data*','/.git','/.cache',node_modules} ./ server:/var/tmp/incoming/":
    'needs a second machine; copied-build.test.ts serves a copy of a build',
  "ssh -t server 'cd /srv/site/current && sudo -u site npm run upgrade -- /var/tmp/incoming'": 'needs a second machine',
  [`export LIBSQL_URL=libsql://your-database.turso.io LIBSQL_AUTH_TOKEN=TOKEN-OF-THE-DATABASE
export NETLIFY_SITE_ID=ID-OF-THE-SITE NETLIFY_AUTH_TOKEN=YOUR-PERSONAL-ACCESS-TOKEN
npm run backup -- /mnt/safe`]: 'needs Netlify; backup.test.ts runs it with servers on this machine',
  'age --decrypt backup-2026-11-21-031500.tar.gz.age | tar --extract --gzip': 'needs age, which asks for a password',
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
  return Object.keys(notRun)
    .reduce((script, commands) => script.replace(`\n${commands}\n`, '\n'), block)
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
  for (const commands of Object.keys(notRun)) expect(blocks.join('')).toContain(`\n${commands}\n`);

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
