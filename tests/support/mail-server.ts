import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/**
 * What goes wrong.
 * - `refuse-recipients`: 550 to every recipient, for good.
 * - `temporary`: 451 to the mail, to be tried again later.
 * - `drop`: the connection is cut while the mail is being sent.
 * - `slow`: the mail is taken after `slowMs`.
 */
type MailFault = 'refuse-recipients' | 'temporary' | 'drop' | 'slow';

/** A mail as it arrived, with the addresses that the server was told to deliver it to. */
type ReceivedMail = ParsedMail & { envelope: { from: string; to: string[] } };

export interface MailServer {
  /** `smtp://127.0.0.1:port`, for `SMTP_URL`. */
  readonly url: string;
  /** In the order of arrival. */
  readonly messages: readonly ReceivedMail[];
  /** The name in the EHLO of the connection that each message came by. */
  readonly greetings: readonly string[];
  /** Messages that came by an encrypted connection. */
  readonly encrypted: number;
  /** Mails refused or cut off by a fault. */
  readonly refused: number;
  /** The first mail, already here or still to come, that the predicate accepts. Rejects after `timeoutMs`. */
  waitFor(predicate: (mail: ReceivedMail) => boolean, timeoutMs?: number): Promise<ReceivedMail>;
  /** Goes wrong from now on, or for so many mails; `null` ends it. */
  fail(fault: MailFault | null, times?: number): void;
  close(): Promise<void>;
}

/** A real SMTP server on this machine that keeps what it gets. @param secure offers STARTTLS with a certificate that it made itself. */
export async function startMailServer({ port = 0, slowMs = 2_000, secure = false } = {}): Promise<MailServer> {
  const messages: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const sockets = new Map<number, Socket>();
  let fault: MailFault | null = null;
  let faultsLeft = 0;
  let refused = 0;
  let encrypted = 0;
  const greetings: string[] = [];

  /** Takes one use of the fault, if it is one of these. */
  function struck(...kinds: MailFault[]): MailFault | null {
    if (fault === null || faultsLeft <= 0 || !kinds.includes(fault)) return null;
    faultsLeft -= 1;
    return fault;
  }

  const server = new SMTPServer({
    // Its clients are on this machine: no secrets are wanted. The library brings a certificate that it signed itself.
    disabledCommands: secure ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    disableReverseLookup: true,
    onRcptTo(_address, _session, callback) {
      if (!struck('refuse-recipients')) return callback();
      refused += 1;
      callback(replyOf(550, '5.1.1 No such mailbox'));
    },
    onData(stream, session, callback) {
      void (async () => {
        const chunks: Buffer[] = [];
        const kind = struck('temporary', 'drop', 'slow');
        if (kind === 'drop') {
          refused += 1;
          sockets.get(session.remotePort)?.destroy();
          return;
        }
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        if (kind === 'temporary') {
          refused += 1;
          return callback(replyOf(451, '4.3.0 Try again later'));
        }
        if (kind === 'slow') await sleep(slowMs, undefined, { ref: false });
        const mail = await simpleParser(Buffer.concat(chunks));
        greetings.push(session.hostNameAppearsAs);
        if (session.secure) encrypted += 1;
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
        messages.push(Object.assign(mail, { envelope }));
        callback();
        for (const look of waiting) look();
      })().catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))));
    },
  });
  // Connections that a client or a fault breaks off are expected here.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  listener.on('connection', (socket: Socket) => {
    const from = socket.remotePort ?? 0;
    sockets.set(from, socket);
    socket.on('close', () => sockets.delete(from));
  });
  await once(listener, 'listening');
  const address = listener.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    messages,
    greetings,
    get encrypted() {
      return encrypted;
    },
    get refused() {
      return refused;
    },
    waitFor(predicate, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.find(predicate);
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          const subjects = messages.map((mail) => `  - ${mail.subject} to ${mail.envelope.to.join(', ')}`);
          reject(new Error(`No such mail within ${timeoutMs} ms. Arrived: ${messages.length}\n${subjects.join('\n')}`));
        }, timeoutMs);
        waiting.add(look);
        look();
      });
    },
    fail(next, times = Infinity) {
      fault = next;
      faultsLeft = times;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

/** smtp-server answers with the `responseCode` of the error. */
function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
