import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { newestId } from '../../netlify/server/db/migrations/from-30.ts';
import { runCommand } from '../support/host/command.ts';
import { startHostProcess, startThatFails } from '../support/host/host-process.ts';
import { inquiringCompanies, ownerVariables, sendInquiry } from '../support/samples/visitors.ts';

/** Restores a backup into a data folder. @returns everything that the command printed. */
const restoreInto = async (dataDirectory: string) =>
  (await runCommand('restore', ['tests/support/earlier-site.tar.gz'], { DATA_DIR: dataDirectory })).output;

test('A second site on the same data folder is refused and names the first, which keeps working', async () => {
  const first = await startHostProcess(undefined, ownerVariables);
  const data = first.dataDirectory;
  onTestFinished(() => first.kill());
  const said = await startThatFails(data, ownerVariables);
  expect(said).toContain(`process ${first.pid}`);
  expect(said).toContain('since 20');
  expect((await sendInquiry(first.url, 'Before')).status).toBe(201);

  expect(await restoreInto(data)).toContain(`process ${first.pid}`);
  await rename(data, `${data}.old`);
  expect(await restoreInto(data)).toContain(`process ${first.pid}`);
  await rename(`${data}.old`, data);
  // After `kill -9`, the lock is free.
  await first.kill();
  const second = await startHostProcess(data, ownerVariables);
  expect(await inquiringCompanies(second.url)).toEqual(['Before']);
  await second.stop();
});

test('A start on the database of a newer version is refused, and names that version', async () => {
  const host = await startHostProcess(undefined, ownerVariables);
  const data = host.dataDirectory;
  await host.kill();
  const database = new DatabaseSync(join(data, 'site.db'));
  database.exec(`INSERT INTO migrations VALUES (${newestId + 1}, 'of the future', '2030-01-01')`);
  database.exec(`UPDATE installation SET value = '9.8.7' WHERE name = 'version'`);
  database.close();
  const said = await startThatFails(data, ownerVariables);
  expect(said).toContain('Version 9.8.7 of the site wrote this database');
});
