import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { sql } from '../../../netlify/server/db/database.ts';
import { newestId } from '../../../netlify/server/db/migrations/from-30.ts';
import { withDatabase } from '../../../host/backups/archive.ts';
import { backUp } from '../../../host/commands/backup.ts';
import { point } from '../../../host/versions.ts';
import { multipart } from '../../support/api/multipart.ts';
import { type CommandResult, runCommand } from '../../support/host/command.ts';
import {
  data,
  folder as own,
  inbox,
  openData,
  siteWithAnInquiry,
  useDataFolder,
} from '../../support/host/data-folder.ts';
import { sessionToken } from '../../support/host/host-process.ts';
import {
  change,
  commit,
  currentVersion,
  folder,
  git,
  page,
  run,
  site,
  sources,
  useInstallation,
} from '../../support/host/installation.ts';
import { freePort } from '../../support/servers/ports.ts';
import { anApplication, resumeFile } from '../../support/samples/resumes.ts';
import { inquiringCompanies, owner, pause, sendInquiry } from '../../support/samples/visitors.ts';

vi.setConfig({ testTimeout: 900_000 });

useInstallation();

/** Sends an application with a resume of this name. */
async function apply(resume: string): Promise<void> {
  const fields = { ...anApplication(), resume: resumeFile(undefined, resume) };
  const application = await multipart(fields, { accept: 'application/json', 'idempotency-key': resume });
  expect((await fetch(`${site.url}/api/career-application`, application)).status).toBe(201);
}

describe('An upgrade', () => {
  test('to another schema can be undone: the rollback says what the backup lacks, exports each newer inquiry, and restores the backup', async () => {
    const third = await sources('third', '1.2.0', 'third');
    const migrations = join(third, 'netlify/server/db/migrations/from-30.ts');
    const added = `{ id: ${newestId + 1}, name: 'later', statements: ['ALTER TABLE submissions ADD COLUMN later TEXT'] },\n];`;
    await change(migrations, /^\];/m, added);
    const older = await inquiringCompanies(site.url);
    // The rollback cannot know which sessions were ended since the upgrade, so it ends all of them.
    const headers = { authorization: `Bearer ${await sessionToken(site, owner)}` };
    const isSignedIn = async () => (await fetch(`${site.url}/api/auth/status`, { headers })).ok;
    expect(await isSignedIn()).toBe(true);
    commit(third);
    git(third, 'tag', 'v1.2.0');
    git(await currentVersion(), 'remote', 'add', 'origin', `file://${third}`);
    expect(await run('upgrade', '--', 'v1.2.0')).toMatchObject({ code: 0 });
    expect((await sendInquiry(site.url, 'Newer')).status).toBe(201);
    await apply('../../resume.pdf');

    const asked = await run('rollback');
    expect(asked.code).toBe(1);
    expect(asked.said).toMatch(/lacks 1 inquiry, 1 application and 0 saved posts/);
    expect(await page()).toBe('third');
    const { code, said } = await run('rollback', '--', '--yes');
    expect(code, said).toBe(0);
    const kept = /newer database is in (\S+)\. /.exec(said)?.[1] ?? '';
    const { submissions } = JSON.parse(await readFile(join(kept, 'newer.json'), 'utf8')) as {
      submissions: { id: string; fields: { company?: string; fullName: string } }[];
    };
    expect(submissions.map(({ fields }) => fields.company ?? fields.fullName)).toEqual(['Newer', 'Mara Quill']);
    expect((await readdir(kept, { recursive: true })).sort()).toEqual([
      'newer.json',
      'resumes',
      `resumes/${submissions[1]?.id}.pdf`,
      'site.db',
    ]);
    expect(await page()).toBe('first');
    expect(await isSignedIn()).toBe(false);
    expect(await inquiringCompanies(site.url)).toEqual(older);

    // This version migrates the database, and ends at each start.
    await change(
      join(third, 'host/serve.ts'),
      'admin = await prepare(completed);',
      `await prepare(completed); throw new Error('broken');`,
    );
    await mkdir(join(third, 'public/files'), { recursive: true });
    for (const name of ['backup.tar.gz.age', 'public/files/kit.tar.gz']) {
      await writeFile(join(third, name), 'belongs to the folder of the sources');
    }
    const sent: string[] = [];
    let over = false;
    const visitor = async () => {
      for (let number = 0; !over; number += 1) {
        // A start that fails ends the connections that wait.
        const seen = await sendInquiry(site.url, `Visitor ${number}`).catch(() => null);
        if (seen?.status === 201) sent.push(`Visitor ${number}`);
        await pause();
      }
    };
    const visits = visitor();
    const failed = await run('upgrade', '--', third);
    over = true;
    await visits;
    expect(failed.code).toBe(1);
    expect(failed.said).toContain('did not become ready');
    expect(await page()).toBe('first');
    expect(await currentVersion()).toBe(join(folder, 'versions/first'));
    expect(failed.said).toContain('The newer database is in');
    expect(await inquiringCompanies(site.url)).toEqual(expect.arrayContaining([...older, ...sent]));
    const [left = ''] = (await readdir(join(folder, 'versions'))).filter((name) => name.startsWith('1.2.0')).slice(-1);
    const copied = await readdir(join(folder, 'versions', left), { recursive: true });
    expect(copied).toContain('public/files/kit.tar.gz');
    expect(copied).not.toEqual(expect.arrayContaining([expect.stringMatching(/^backup\.tar\.gz/)]));
  });

  test('whose rollback fails too says what to do, and a later upgrade repairs the site', async () => {
    const last = await sources('last', '1.3.0', 'last');
    const starting = join(last, 'host/start.ts');
    const [first, broken] = [join(folder, 'versions/first'), join(folder, 'broken.mjs')];
    const [working, start] = ['await serve(env, buildFault);', `await import('${broken}');`];
    await change(starting, working, start);
    // The former version does not start either, and the backup of the upgrade is lost.
    await writeFile(
      broken,
      `import { rmSync, writeFileSync } from 'node:fs';
       rmSync('backup-before-upgrade.tar.gz', { force: true });
       rmSync('${first}/dist', { recursive: true, force: true });
       writeFileSync('${first}/src/page.txt', 'broken');
       throw new Error('broken');`,
    );
    const withoutVersion = await run('upgrade', '--', last);
    expect(withoutVersion.code).toBe(1);
    expect(withoutVersion.said).toMatch(
      /1\.3\.0-\d+ did not become ready .* The rollback failed too: \S+first is the current version, but it did not become ready .* The log of the site shows/,
    );
    expect(await currentVersion()).toBe(first);

    // systemd keeps starting the former version, so the upgrade must find the site between two starts, too.
    await change(starting, start, working);
    const repaired = await run('upgrade', '--', last);
    expect(repaired).toMatchObject({ code: 0, said: expect.not.stringContaining('Start the site') });
    expect(await page()).toBe('last');

    await change(starting, working, start);
    await writeFile(broken, `throw new Error('broken');`);
    const obstacle = join(folder, '.rolling-back');
    await mkdir(join(obstacle, 'so that the link cannot be changed'), { recursive: true });
    const withoutLink = await run('upgrade', '--', last);
    expect(withoutLink.said).toMatch(
      /The rollback failed too: [^]*Fix the problem, then run in \S+current: npm run rollback -- --yes/,
    );
    await rm(obstacle, { recursive: true });
    expect(await run('rollback', '--', '--yes')).toMatchObject({ code: 0 });
    await expect.poll(() => page().catch(() => undefined), { timeout: 60_000 }).toBe('last');
  });
});

describe('A rollback', () => {
  useDataFolder();

  /** Makes an installation whose newer version has another schema and an inquiry that its backup does not have. */
  async function newerVersion(): Promise<(args: string[], version: string) => Promise<CommandResult>> {
    const versions = join(own, 'versions');
    for (const version of ['first', 'second']) await mkdir(join(versions, version), { recursive: true });
    await backUp(data, join(versions, 'second/backup-before-upgrade.tar.gz'));
    const site = await siteWithAnInquiry();
    await site.database.write(sql`INSERT INTO migrations VALUES (${newestId + 1}, 'later', '2030-01-01')`);
    await site.close();
    await point(own, 'current', 'second');
    await point(own, 'previous', 'first');
    const variables = { DATA_DIR: data, PORT: String(await freePort()) };
    return async (args, version) => await runCommand('rollback', args, variables, join(versions, version));
  }

  test('that was interrupted after it changed the current version continues', async () => {
    const rollback = await newerVersion();
    await point(own, 'rolling-back', 'second');
    await point(own, 'current', 'first');
    const { code, output } = await rollback(['--yes'], 'first');
    expect(output).toContain('/first is the current version.');
    expect(code).toBe(0);
    const site = await openData(data);
    expect((await site.stores.submissions.list('inquiry', inbox())).data).toEqual([]);
    await site.close();
    const [kept = ''] = (await readdir(data)).filter((name) => name.startsWith('before-rollback-'));
    expect(JSON.parse(await readFile(join(data, kept, 'newer.json'), 'utf8'))).toMatchObject({ submissions: [{}] });
    expect((await readdir(own)).sort()).toEqual(['current', 'data', 'versions']);
    expect(await rollback([], 'first')).toMatchObject({ output: 'There is no earlier version.\n' });
  });

  test('changes nothing while another program reads the database', async () => {
    const rollback = await newerVersion();
    const reader = new DatabaseSync(join(data, 'site.db'));
    reader.exec('BEGIN; SELECT * FROM submissions');
    // This row is in the write-ahead log, and stays there until the reader has finished.
    await withDatabase(join(data, 'site.db'), (database) =>
      database.write(sql`INSERT INTO migrations VALUES (${newestId + 2}, 'last', '2030-01-01')`),
    );
    const { code, output } = await rollback(['--yes'], 'second');
    expect(output).toMatch(/^Another program is reading \S+site\.db\. Stop that program, and try again\./);
    expect(code).toBe(1);
    expect(await realpath(join(own, 'current'))).toMatch(/second$/);
    reader.close();
    expect(await rollback(['--yes'], 'second')).toMatchObject({ code: 0 });
  });
});
