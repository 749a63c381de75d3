import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Checks whether an IP address belongs to a proxy whose `X-Forwarded-*` headers can be trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/** @param list IP addresses, CIDR ranges and the word `loopback`, in the format of `TRUSTED_PROXIES`. */
export function trustedProxies(list: readonly string[]): IsTrustedProxy {
  const proxies = new BlockList();
  for (const range of list.flatMap((entry) => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]))) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/**
 * Determines the origin of a request. The visitor's IP address is the last one in `X-Forwarded-For` that is not a
 * trusted proxy's, because a visitor can only write entries to the left of that entry. Reduces `X-Forwarded-Proto` to
 * the entry of the same proxy. Removes `X-Forwarded-Host`: proxies pass the original host in `Host`, and some proxies
 * forward an `X-Forwarded-Host` that the visitor wrote.
 * @returns the visitor's IP address, which is empty if the connection is already closed, and whether the connection comes
 * from a trusted proxy, which forwards the requests of many visitors.
 */
export function originOf({ headers, socket }: IncomingMessage, isTrusted: IsTrustedProxy) {
  const peer = socket.remoteAddress ?? '';
  if (!isTrusted(peer)) return { address: peer, throughProxy: false };
  const addresses = listOf(headers['x-forwarded-for']).map(withoutPort);
  let address = peer;
  let hops = 0;
  while (isTrusted(address)) {
    hops += 1;
    const next = addresses.at(-hops);
    if (next === undefined || isIP(next) === 0) break;
    address = next;
  }
  const protocols = listOf(headers['x-forwarded-proto']);
  headers['x-forwarded-proto'] = protocols[Math.max(0, protocols.length - hops)];
  delete headers['x-forwarded-host'];
  return { address, throughProxy: true };
}

function listOf(header: string | string[] | undefined): string[] {
  const entries = [header ?? []].flat().join().split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** Removes the port that some proxies append to the IP address. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** Returns whether only this machine can connect to a server on this host name or IP address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.');
}
