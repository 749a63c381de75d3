/**
 * The network that an address belongs to, for limits: an IPv4 address itself, an IPv6 address's /64, since one customer
 * has all of it (decisions, 'Rate limits by address').
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(':')) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The /48 of an IPv6 address, which one customer may have as a whole; null for an IPv4 address. */
export function wideNetworkOf(address: string): string | null {
  if (!address.includes(':') || /^::ffff:\d+\./i.test(address)) return null;
  return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
