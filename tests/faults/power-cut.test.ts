import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInThisThread } from '../../host/data/sqlite.ts';
import { sql } from '../../netlify/server/db/database.ts';
import type { InquiryReceipt } from '../../src/domain/submissions/inquiry.ts';
import { startHostProcess } from '../support/host/host-process.ts';
import { sizeOf } from '../support/faults/faults.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { inquiriesIn, ownerVariables, sendInquiry } from '../support/samples/visitors.ts';

test('After repeated power cuts, every acknowledged inquiry is in the inbox once and emailed once', async () => {
  const mail = await startMailServer();
  const variables = {
    ...ownerVariables,
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@firm.example',
    CONTACT_EMAIL: 'sales@firm.example',
  };
  const told = new Map<string, string>();
  let host = await startHostProcess(undefined, variables);
  for (let cut = 0; cut < sizeOf(4, 20); cut += 1) {
    let running = true;
    const { url } = host;
    const visitors = Array.from({ length: sizeOf(8, 32) }, async (_, visitor) => {
      for (let n = 0; running; n += 1) {
        const company = `Visitor ${cut}-${visitor}-${n}`;
        // Sends each inquiry twice, as a visitor who saw no response would. Both responses must be the same.
        for (let attempt = 0; attempt < 2; attempt += 1) {
          const seen = await sendInquiry(url, company).catch(() => null);
          if (seen?.status !== 201) continue;
          const receipt = JSON.parse(seen.body) as InquiryReceipt;
          expect(told.get(company) ?? receipt.id).toBe(receipt.id);
          told.set(company, receipt.id);
        }
      }
    });
    const before = told.size;
    await expect.poll(() => told.size, { interval: 10 }).toBeGreaterThan(before + 5 + (cut % 4) * 20);
    await host.kill();
    running = false;
    await Promise.all(visitors);
    host = await startHostProcess(host.dataDirectory, variables);
  }
  expect(told.size).toBeGreaterThan(20);

  const rows = await inquiriesIn(host.url);
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  const stored = new Map(rows.map((row) => [row.company, row.id]));
  for (const [company, id] of told) expect(stored.get(company), company).toBe(id);
  // As an hour later: the emails that a killed process had reserved are free again, and the digests are due. The next
  // inquiry sends them.
  const directory = host.dataDirectory;
  const database = openInThisThread(join(directory, 'site.db'), { lockWaitMs: 10_000 });
  await database.write(sql`UPDATE outbox SET leased_until = NULL, due_at = created_at`);
  database.close();
  await sendInquiry(host.url, 'Last Visitor');
  // If the process is killed while it sends an email, it may send the email again with the same Message-ID. Mailboxes
  // then show the email once.
  const sent = () => {
    const ids = new Map<string, Set<string | undefined>>();
    for (const { envelope, subject, text, messageId } of mail.messages) {
      const isForFirm = envelope.to.includes(variables.CONTACT_EMAIL);
      const companies = [...`${subject}\n${text}`.matchAll(/: (Visitor [\d-]+) \(/g)].map(([, company]) => company!);
      for (const about of isForFirm ? companies : [`${envelope.to.join()} ${subject}`])
        ids.set(about, (ids.get(about) ?? new Set()).add(messageId));
    }
    return ids;
  };
  const untold = () => {
    const companies = sent();
    return [...told.keys()].filter((company) => !companies.has(company));
  };
  // A fast machine acknowledges more inquiries than the digests of one minute list.
  await expect.poll(untold, { timeout: 300_000 }).toEqual([]);
  for (const [about, ids] of sent()) expect(ids.size, about).toBe(1);
  await host.stop();
  await mail.close();
  await rm(directory, { recursive: true, force: true });
}, 900_000);
