import { describe, expect, test } from 'vitest';
import { byteQuotas, floorBytes } from '../../../netlify/server/uploads/quotas.ts';
import { mostUploads } from '../../../netlify/server/uploads/store.ts';
import { sql, text } from '../../../netlify/server/db/database.ts';
import type { Services } from '../../../netlify/server/services.ts';
import { partBytes, uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { site as firm } from '../../../src/site.config.ts';
import { useApi } from '../../support/api/api.ts';
import { aPdf } from '../../support/samples/files.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { multipart } from '../../support/api/multipart.ts';
import { uploadInParts } from '../../support/api/uploads.ts';

const aResume = aPdf(uploadLimits.resume);

const site = useApi();

const resume = { name: 'cv.pdf', size: uploadLimits.resume, purpose: 'resume' };
/** Uploads a resume of the largest size in parts. @returns whether the site accepted all parts. */
const upload = (address: string): Promise<boolean> =>
  uploadInParts(aResume, (path, request) => site.ask(path, { ...request, address })).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain(': 429 ');
      return false;
    },
  );
/** Returns how many of these uploads, one after the other, the site accepts. */
async function accepted(addresses: string[]): Promise<number> {
  let count = 0;
  for (const address of addresses) if (await upload(address)) count += 1;
  return count;
}
const times = (count: number, address: string) => Array<string>(count).fill(address);
const apply = async (address: string, name: string, services: Services = site.services): Promise<Response> => {
  const fields = { fullName: name, email: 'sam@example.com', coverLetter: 'Hello' };
  const sent = await multipart({ ...fields, resume: new File([aResume], 'cv.pdf', { type: 'application/pdf' }) });
  return await site.ask('/api/career-application', { ...sent, address }, services);
};

/** Counts bytes as if another network had sent them. */
const othersSent = (kind: keyof typeof byteQuotas, bytes: number) => {
  const id = crypto.randomUUID();
  return site.services.database.write(
    sql`INSERT INTO anonymous_bytes (id, kind, network, bytes, expires_at)
        VALUES (${id}, ${kind}, ${id}, ${bytes}, '2026-03-02T19:30:00.000Z')`,
  );
};

const open = (json: unknown) => site.ask('/api/uploads', { json });
const putPart = (id: string, part: number | string, body: Uint8Array<ArrayBuffer>) =>
  site.ask(`/api/uploads/${id}/parts/${part}`, { method: 'PUT', body });

/** Opens uploads as many visitors would who never send a part. */
const openMany = (count: number) =>
  site.services.database.write(
    sql`INSERT INTO uploads (id, name, type, size, purpose, expires_at)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${count})
        SELECT 'never-' || n, 'cv.pdf', '', 10, 'resume', '2026-03-02T18:45:00.000Z' FROM numbers`,
  );
const uploads = async () => Number((await site.rows('SELECT count(*) AS count FROM uploads'))[0]?.count);

describe('A visitor who does not sign in', () => {
  test('can make two large uploads in an hour', async () => {
    expect(await accepted(times(3, '203.0.113.7'))).toBe(2);
    expect(await upload('203.0.113.8')).toBe(true);
    site.advance(61 * 60_000);
    await site.tick();
    expect(await upload('203.0.113.7')).toBe(true);
  });

  test('has one quota for an IPv6 /48 with 65,536 networks', async () => {
    const addresses = Array.from({ length: 3 }, (_, network) => `2001:db8:1:${network}::1`);
    expect(await accepted(addresses)).toBe(2);
  });

  test('can apply although a few networks send as much as they can, or only say that they will', async () => {
    for (let tries = 0; tries < 100; tries += 1) {
      const opened = { json: resume, address: `203.0.113.${tries % 4}` };
      expect((await site.ask('/api/uploads', opened)).status).toBe(201);
    }
    await othersSent('upload', byteQuotas.upload.all + byteQuotas.upload.reserve - uploadLimits.resume);
    expect(await accepted(['198.51.100.1', '198.51.100.2'])).toBe(1);
    await othersSent('resume', byteQuotas.resume.all);
    expect((await apply('198.51.100.1', 'Honest')).status).toBe(201);
  });

  test('gets the quota back for an upload that is not a document, which is refused after its first part', async () => {
    const address = '203.0.113.7';
    for (let tries = 0; tries < 5; tries += 1) {
      const opened = await site.ask('/api/uploads', { json: resume, address });
      const { id } = (await opened.json()) as { id: string };
      const part = { method: 'PUT', body: new Uint8Array(partBytes), address };
      const refused = await site.ask(`/api/uploads/${id}/parts/1`, part);
      expect([refused.status, (await refused.json()).message]).toEqual([400, expect.stringContaining('PDF')]);
      expect((await site.ask(`/api/uploads/${id}/parts/2`, part)).status).toBe(404);
    }
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });

  test('learns where to send a resume after five of the largest within an hour; a retry counts once', async () => {
    const address = '203.0.113.7';
    for (const name of ['One', 'One']) expect((await apply(address, name)).status, name).toBe(201);
    // Counts the only application of the network as four.
    await site.services.database.write(sql`UPDATE anonymous_bytes SET bytes = 4 * bytes WHERE kind = 'resume'`);
    expect((await apply(address, 'Five')).status).toBe(201);
    const refused = await apply(address, 'Six');
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { message: string }).message).toContain(firm.hrEmail);
    expect((await apply('203.0.113.8', 'Six')).status).toBe(201);
  });

  test('can begin ten uploads in an hour, however small they are', async () => {
    const begin = async () => {
      const { id } = await (await open({ name: 'cv.pdf', size: 20, purpose: 'resume' })).json();
      return (await putPart(id, 1, aPdf(20))).status;
    };
    for (let tries = 0; tries < 10; tries += 1) expect(await begin()).toBe(200);
    expect(await begin()).toBe(429);
  });

  test('cannot fill the database with uploads that never begin, or end the upload of another visitor', async () => {
    const { id } = await (await open(resume)).json();
    expect((await putPart(id, 1, aResume.subarray(0, partBytes))).status).toBe(200);
    await openMany(mostUploads);
    for (let tries = 0; tries < 5; tries += 1) expect((await open(resume)).status).toBe(201);
    expect(await uploads()).toBe(mostUploads);
    expect((await putPart(id, 2, aResume.subarray(partBytes))).status).toBe(200);
  });

  test('gets the quota back when a used upload is deleted', async () => {
    await upload('203.0.113.7');
    const [used] = await site.rows('SELECT id FROM uploads');
    await site.services.stores.uploads.expireAt(text(used?.id), site.services.now().toISOString());
    site.advance(60_000);
    await site.services.stores.uploads.removeExpired(site.services.now().toISOString());
    expect(await site.rows('SELECT * FROM anonymous_bytes')).toEqual([]);
  });

  test('is counted without an IP address, for an hour', async () => {
    await upload('203.0.113.7');
    const rows = async () => await site.services.database.read({ sql: 'SELECT * FROM anonymous_bytes', args: [] });
    expect(JSON.stringify(await rows())).not.toContain('203.0.113');
    site.advance(61 * 60_000);
    await site.tick();
    expect(await rows()).toEqual([]);
  });
});

describe('A form without a file', () => {
  const inquire = (address: string, company: string, message = 'Hello, we need help.') =>
    site.ask('/api/contact', { json: anInquiry({ company, message }), address });
  test('is refused after a megabyte of text from one network in an hour, with other ways to reach the firm', async () => {
    const address = '203.0.113.7';
    const longest = '字'.repeat(10_000);
    let sent = 0;
    let response = await inquire(address, 'Company', longest);
    while (response.status === 201) {
      sent += 1;
      expect(sent * 30_000).toBeLessThan(byteQuotas.form.each);
      response = await inquire(address, `Company ${sent}`, longest);
    }
    expect((sent + 2) * 30_000).toBeGreaterThan(byteQuotas.form.each);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(((await response.json()) as { message: string }).message).toContain(firm.phone);
    expect((await inquire('203.0.113.8', 'Another')).status).toBe(201);
    site.advance(61 * 60_000);
    expect((await inquire(address, 'Later')).status).toBe(201);
  });

  test('reaches the firm from a quiet network while a flood has used the quota of all networks', async () => {
    await othersSent('form', byteQuotas.form.all);
    for (const company of ['First', 'Second']) expect((await inquire('203.0.113.8', company)).status).toBe(201);
    expect((await inquire('203.0.113.8', 'Third')).status).toBe(429);
    await othersSent('form', byteQuotas.form.reserve);
    expect((await inquire('203.0.113.9', 'Too late')).status).toBe(429);
  });
});

const full = (): Services => ({ ...site.services, freeBytes: async () => floorBytes - 1 });

test('With an almost full disk, an inquiry is accepted, and files are refused with an alternative', async () => {
  const services = full();
  expect((await site.ask('/api/contact', { json: anInquiry() }, services)).status).toBe(201);
  const applied = await apply('203.0.113.7', 'One', services);
  const opened = await site.ask('/api/uploads', { json: resume }, services);
  for (const refused of [applied, opened]) {
    expect(refused.status).toBe(507);
    expect(((await refused.json()) as { message: string }).message).toContain(firm.hrEmail);
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const added = await site.admin('/api/cms/media', { method: 'POST', body: '--x--', headers }, services);
  expect(added.status).toBe(507);
  expect(((await added.json()) as { message: string }).message).toContain('disk is almost full');
});

test('Uploads continue while the free space is unknown', async () => {
  const services: Services = { ...site.services, freeBytes: async () => null };
  expect((await site.ask('/api/uploads', { json: resume }, services)).status).toBe(201);
});

describe('A file in parts', () => {
  test('is refused above its limit, and so is a part with another length or number', async () => {
    const tooLarge = await open({ name: 'cv.pdf', size: uploadLimits.resume + 1, purpose: 'resume' });
    expect(tooLarge.status).toBe(400);
    expect((await tooLarge.json()).errors).toEqual({ size: 'File too large. The limit is 5 MB.' });
    const { id } = await (await open({ name: 'cv.pdf', size: 10, purpose: 'resume' })).json();
    expect((await putPart(id, 1, new Uint8Array(9))).status).toBe(400);
    expect((await putPart(id, 1, new Uint8Array(11))).status).toBe(400);
    expect((await putPart(id, 1, new Uint8Array(partBytes + 1))).status).toBe(413);
    expect((await putPart(id, 2, new Uint8Array(1))).status).toBe(404);
    expect((await putPart(id, 'x', new Uint8Array(1))).status).toBe(404);
    expect((await putPart('unknown', 1, new Uint8Array(1))).status).toBe(404);
  });

  test('for the media library or the logo needs a session', async () => {
    for (const purpose of ['media', 'logo']) {
      expect((await open({ name: 'a.png', size: 10, purpose })).status).toBe(401);
    }
  });

  test('that is unfinished after an hour is deleted with its bytes, however many there are', async () => {
    const id = await uploadInParts(aPdf(20), (path, request) => site.ask(path, request));
    await openMany(300);
    // A restored backup, or a process that was killed, can leave bytes without an upload.
    await site.blobs('uploads').set(`${crypto.randomUUID()}/1`, 'left behind');
    site.advance(61 * 60_000);
    await site.tick();
    expect((await putPart(id, 1, aPdf(20))).status).toBe(404);
    expect(await uploads()).toBe(0);
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });
});
