import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { groupsOf, mappedIPv4 } from '../netlify/server/http/network.ts';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Reads how many bytes the Linux kernel holds for each connection of a local port because the client has not yet
 * accepted them. The kernel holds up to 4 MB for a client that reads nothing, and Node counts these bytes as sent.
 * @returns the bytes by {@link remoteEnd}, or null if this system is not little-endian or has no table of connections
 * in /proc/net.
 */
export async function sendQueues(localPort: number): Promise<ReadonlyMap<string, number> | null> {
  if (endianness() !== 'LE') return null;
  const queues = new Map<string, number>();
  const ending = `:${hex(localPort, 4)}`;
  const note = (row: string): void => {
    const [, local = '', remote = '', , sizes = ''] = row.trim().split(/\s+/, 5);
    if (local.endsWith(ending)) queues.set(remote, Number.parseInt(sizes, 16));
  };
  let found = false;
  for (const table of tables) {
    let rest = '';
    try {
      for await (const chunk of createReadStream(table, 'latin1')) {
        const rows = (rest + String(chunk)).split('\n');
        rest = rows.pop() ?? '';
        rows.forEach(note);
      }
      found = true;
    } catch {
      // A Linux machine without IPv6 has only the first table. Other systems have neither table.
    }
  }
  return found ? queues : null;
}

/**
 * Returns the key of a connection in the kernel's table: the client's IP address and port in hex. The bytes of each
 * 32-bit word of the address are in memory order (little-endian).
 */
export function remoteEnd({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${addressInHex(remoteAddress)}:${hex(remotePort, 4)}`;
}

function addressInHex(address: string): string {
  const mapped = mappedIPv4(address);
  if (mapped !== null) return `0000000000000000FFFF0000${addressInHex(mapped)}`;
  const bytes = address.includes(':')
    ? groupsOf(address).flatMap((group) => [group >> 8, group & 255])
    : address.split('.').map(Number);
  let text = '';
  for (let word = 0; word < bytes.length; word += 4) {
    for (const byte of bytes.slice(word, word + 4).reverse()) text += hex(byte, 2);
  }
  return text;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
