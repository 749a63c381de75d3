import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../host/commands/backup.ts';
import { restore } from '../../host/commands/restore.ts';
import type { InquiryReceipt } from '../../src/domain/inquiry.ts';
import { sizeOf } from '../support/faults.ts';
import { sessionToken, startHostProcess } from '../support/host-process.ts';
import { anInquiry } from '../support/inquiries.ts';
import { inquiriesIn, owner, ownerVariables } from '../support/visitors.ts';

const json = { 'content-type': 'application/json' };
const found = async (url: string, q: string) => new Set((await inquiriesIn(url, q)).map(({ id }) => id));

test('Backups made between erasures, under load, are restored after the data was damaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'));
  let host = await startHostProcess(undefined, ownerVariables);
  const { dataDirectory } = host;
  try {
    for (let round = 0; round < sizeOf(1, 8); round += 1) {
      const headers = { ...json, authorization: `Bearer ${await sessionToken(host, owner)}` };
      const acknowledged: string[] = [];
      let running = true;
      const send = async (name: string, email: string): Promise<void> => {
        const body = JSON.stringify(anInquiry({ company: name, email, message: `A word of ${name} about the load.` }));
        const answer = await fetch(`${host.url}/api/contact`, { method: 'POST', headers: json, body });
        expect(answer.status).toBe(201);
        const { id } = (await answer.json()) as InquiryReceipt;
        if (email.startsWith('kept')) acknowledged.push(id);
      };
      let visitors: Promise<void>[] = [];
      // The first person is erased before the other visitors send inquiries. If an erasure damaged the search index, a
      // later inquiry could repair the index by accident, and the test would not find the fault.
      for (let n = 0; n < 2; n += 1) await send(`Kept ${round}-${n}`, 'kept@firm.example');
      for (let person = 0; person < sizeOf(2, 3); person += 1) {
        const email = `xylographzq${person}@firm.example`;
        for (let n = 0; n < 3; n += 1) await send(`Xylographzq ${round}-${person}-${n}`, email);
        const body = JSON.stringify({ email });
        const erased = await fetch(`${host.url}/api/contact/erase`, { method: 'POST', headers, body });
        expect(erased.status).toBe(200);
        const early = join(folder, `early-${round}-${person}.tar.gz`);
        await backUp(dataDirectory, early);
        await restore(early, join(folder, 'tried'));
        await rm(join(folder, 'tried'), { recursive: true });
        if (person === 0) {
          visitors = Array.from({ length: sizeOf(2, 16) }, async (_, visitor) => {
            for (let n = 0; running; n += 1) await send(`Kept ${round}-${visitor}-${n}`, `kept${visitor}@firm.example`);
          });
        }
      }
      const before = [...acknowledged];
      expect(before.length).toBeGreaterThan(0);
      const archive = join(folder, `backup-${round}.tar.gz`);
      await backUp(dataDirectory, archive);
      running = false;
      await Promise.all(visitors);
      await host.kill();

      // Overwrites the middle of the database, as a failing disk could.
      const file = await open(join(dataDirectory, 'site.db'), 'r+');
      await file.write(Buffer.alloc(16_384, 0xff), 0, 16_384, 8_192);
      await file.close();
      await rm(dataDirectory, { recursive: true });
      await restore(archive, dataDirectory);

      host = await startHostProcess(dataDirectory, ownerVariables);
      const restored = await found(host.url, 'load');
      for (const id of before) expect(restored.has(id)).toBe(true);
      expect(await found(host.url, 'xylographzq')).toEqual(new Set());
    }
  } finally {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
