import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/**
 * A fault of the server.
 * - `refuse-recipients`: 550 for every recipient, permanently.
 * - `temporary`: 451 for the email, so the client tries again later.
 * - `drop`: the connection is cut while the client sends the email.
 * - `slow`: the email is accepted after 0.3 s.
 */
type MailFault = 'refuse-recipients' | 'temporary' | 'drop' | 'slow';

/** An email as it arrived, with the envelope that the client sent, and the EHLO name and encryption of its connection. */
export type ReceivedMail = ParsedMail & {
  envelope: { from: string; to: string[] };
  source: Buffer;
  greeting: string;
  isEncrypted: boolean;
};

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * Starts a real SMTP server on this machine that stores all email.
 * @param secure offers STARTTLS with a self-signed certificate.
 */
export async function startMailServer({ port = 0, secure = false } = {}) {
  const messages: ReceivedMail[] = [];
  const arrivals = new EventEmitter();
  const sockets = new Map<number, Socket>();
  let fault: MailFault | null = null;
  let faultsLeft = 0;
  const refused: string[] = [];

  /** Returns the current fault if it is one of these kinds, and counts one use of the fault. */
  function struck(...kinds: MailFault[]): MailFault | null {
    if (fault === null || faultsLeft <= 0 || !kinds.includes(fault)) return null;
    faultsLeft -= 1;
    return fault;
  }

  const server = new SMTPServer({
    // All clients are on this machine, so AUTH is disabled. For STARTTLS the library provides a self-signed
    // certificate.
    disabledCommands: secure ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    disableReverseLookup: true,
    onRcptTo({ address }, _session, callback) {
      if (!struck('refuse-recipients')) return callback();
      refused.push(address);
      callback(replyOf(550, '5.1.1 No such mailbox'));
    },
    onData(stream, session, callback) {
      void (async () => {
        const chunks: Buffer[] = [];
        const kind = struck('temporary', 'drop', 'slow');
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        if (kind === 'drop' || kind === 'temporary') refused.push(...recipients);
        if (kind === 'drop') {
          sockets.get(session.remotePort)?.destroy();
          return;
        }
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        if (kind === 'temporary') return callback(replyOf(451, '4.3.0 Try again later'));
        if (kind === 'slow') await sleep(300, undefined, { ref: false });
        const source = Buffer.concat(chunks);
        const mail = await simpleParser(source);
        const { mailFrom } = session.envelope;
        const envelope = { from: mailFrom ? mailFrom.address : '', to: recipients };
        const { hostNameAppearsAs: greeting, secure: isEncrypted } = session;
        messages.push(Object.assign(mail, { envelope, source, greeting, isEncrypted }));
        callback();
        arrivals.emit('mail');
      })().catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))));
    },
  });
  // Clients and faults may cut connections, so these errors are expected.
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
    /** For `SMTP_URL`. */
    url: `smtp://127.0.0.1:${address.port}`,
    /** The emails in the order of arrival. */
    messages: messages as readonly ReceivedMail[],
    /** The recipients of the emails that a fault refused or cut off. */
    refused: refused as readonly string[],
    /** Waits for the first email that the predicate accepts, which may already have arrived. Rejects after a minute. */
    async waitFor(predicate: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
      const signal = AbortSignal.timeout(60_000);
      for (;;) {
        const found = messages.find(predicate);
        if (found) return found;
        await once(arrivals, 'mail', { signal }).catch(() => {
          const subjects = messages.map((mail) => `  - ${mail.subject} to ${mail.envelope.to.join(', ')}`);
          throw new Error(`No such mail within 60 s. Arrived: ${messages.length}\n${subjects.join('\n')}`);
        });
      }
    },
    /** Sets a fault for all following emails, or for the next `times` emails. `null` ends the fault. */
    fail(next: MailFault | null, times = Infinity) {
      fault = next;
      faultsLeft = times;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

/** Returns an error for smtp-server, which responds to the client with the error's `responseCode`. */
function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
