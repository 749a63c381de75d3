import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { residentMegabytes, unreading, visit } from '../../support/host/crowd.ts';
import { sizeOf } from '../../support/faults/faults.ts';
import { sessionToken, startHostProcess } from '../../support/host/host-process.ts';
import { publishFile } from '../../support/api/uploads.ts';
import { owner, ownerVariables, sendInquiry } from '../../support/samples/visitors.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: site.test\r\n\r\n`;
const pages = ['/', '/services', '/contact', '/blog', '/rss.xml'];

test.runIf(process.platform === 'linux')(
  'With a small heap, clients that read nothing use little memory, a visitor gets a response, and the host answers within ten seconds after they leave',
  async () => {
    // Limits the memory for JavaScript objects. The buffers of requests and responses are outside of this limit.
    const variables = { ...ownerVariables, NODE_OPTIONS: '--max-old-space-size=256' };
    const log: string[] = [];
    const host = await startHostProcess(undefined, variables, (line) => log.push(line));
    onTestFinished(() => host.stop());
    const file = await publishFile(host, await sessionToken(host, owner), 10_000_000);
    for (const path of pages) expect(await visit(host, path)).toBe(200);
    const before = await residentMegabytes(host);
    const stalledUpload = Buffer.concat([
      Buffer.from('POST /api/career-application HTTP/1.1\r\nHost: site.test\r\nContent-Length: 4000000\r\n'),
      Buffer.from('Content-Type: multipart/form-data; boundary=x\r\n\r\n'),
      Buffer.alloc(3_500_000),
    ]);
    let last = 0;
    const leave = [
      unreading(400, host, get(file)),
      unreading(400, host, get('/rss.xml').repeat(4), () => `127.0.4.${(last += 1) % 250}`),
      unreading(40, host, stalledUpload, () => '127.0.0.3'),
    ];
    let most = 0;
    for (let second = 0; second < sizeOf(5, 60); second += 1) {
      await pause(1_000);
      most = Math.max(most, await residentMegabytes(host));
      expect(await visit(host, pages[second % pages.length] ?? '/')).toBe(200);
    }
    expect((await sendInquiry(host.url, 'Meanwhile')).status).toBe(201);
    expect(most - before).toBeLessThan(200);
    for (const each of leave) each();
    const left = performance.now();
    expect(await visit(host, '/')).toBe(200);
    expect((await sendInquiry(host.url, 'Afterward')).status).toBe(201);
    expect(performance.now() - left).toBeLessThan(10_000);
    // Ignores `DatabaseFault`: on a busy machine, the database may be too slow for hundreds of simultaneous requests.
    expect(log.filter((line) => line.includes('"level":"error"') && !line.includes('DatabaseFault'))).toEqual([]);
  },
);
