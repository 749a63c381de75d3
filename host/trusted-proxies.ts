import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { logInfo } from '../netlify/server/log.ts';

/** Tells whether an address belongs to a proxy whose `X-Forwarded-*` headers are true. */
export type IsTrustedProxy = (address: string) => boolean;

/** @param list addresses, CIDR ranges and the word `loopback`, as `TRUSTED_PROXIES` has them. */
export function trustedProxies(list: readonly string[]): IsTrustedProxy {
  const ranges = list.flatMap((entry) => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]));
  return blockListOf(ranges);
}

/** Networks that visitors do not come from, and proxies often do. */
const isPrivate = blockListOf([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

function blockListOf(ranges: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'];

export interface Origin {
  /** The visitor's address, or an empty string if the connection is gone already. */
  readonly address: string;
  /** True if the connection comes from a trusted proxy, which sends the requests of many visitors. */
  readonly throughProxy: boolean;
}

/**
 * Finds out where a request comes from, and removes every forwarding header that no trusted proxy wrote: code behind
 * this function may believe each header that it sees. Of the addresses in `X-Forwarded-For`, the last one that is not
 * a trusted proxy's is the visitor's, because a visitor can only write the ones to the left of it. `X-Forwarded-Host`
 * is removed even from a proxy's request: a proxy passes `Host`, and some proxies pass a visitor's `X-Forwarded-Host`.
 */
export function originOf(request: IncomingMessage, isTrusted: IsTrustedProxy): Origin {
  const peer = request.socket.remoteAddress ?? '';
  const { headers } = request;
  const throughProxy = isTrusted(peer);
  if (!forwardingHeaders.some((name) => name in headers)) return { address: peer, throughProxy };
  let address = peer;
  let hops = 0;
  const addresses = listOf(headers['x-forwarded-for']).map(withoutPort);
  while (isTrusted(address)) {
    hops += 1;
    const next = addresses.at(-hops);
    if (next === undefined || isIP(next) === 0) break;
    address = next;
  }
  const protocols = listOf(headers['x-forwarded-proto']);
  const protocol = throughProxy ? protocols[Math.max(0, protocols.length - hops)] : undefined;
  for (const name of forwardingHeaders) delete headers[name];
  const { rawHeaders } = request;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (forwardingHeaders.includes(rawHeaders[at]?.toLowerCase() ?? '')) rawHeaders.splice(at, 2);
  }
  if (protocol === 'https' || protocol === 'http') {
    headers['x-forwarded-proto'] = protocol;
    rawHeaders.push('X-Forwarded-Proto', protocol);
  }
  return { address, throughProxy };
}

function listOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Some proxies write the port after the address. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}

/**
 * Tells the owner once that a proxy's headers are ignored, because every visitor behind the proxy then shares the rate
 * limits of one address.
 */
export function proxyWarning(isTrusted: IsTrustedProxy): (request: IncomingMessage) => void {
  let warned = false;
  return ({ headers, socket: { remoteAddress: peer = '' } }) => {
    if (warned || headers['x-forwarded-for'] === undefined || isTrusted(peer)) return;
    warned = true;
    logInfo('ignored X-Forwarded-For', {
      reason:
        'The request did not come from a trusted proxy. If a proxy passes requests to this server, set TRUSTED_PROXIES to its address: until then all visitors share the rate limits of one address.',
      ...(isPrivate(peer) && { proxy: peer }),
    });
  };
}
