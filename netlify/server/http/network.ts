/**
 * Names the network that an address belongs to, for limits: an IPv4 address itself, and the /64 of an IPv6 address,
 * because one customer has all of the /64 (decisions, 'Rate limits by address').
 */
export function networkOf(address: string): string {
  const mapped = mappedIPv4(address);
  if (mapped !== null) return mapped;
  if (!address.includes(':')) return address;
  return `${groupsOf(address).slice(0, 4).map(hex).join(':')}::/64`;
}

/** The /48 of an IPv6 address, which one customer may have as a whole; null for an IPv4 address. */
export function wideNetworkOf(address: string): string | null {
  if (!address.includes(':') || mappedIPv4(address) !== null) return null;
  return `${groupsOf(address).slice(0, 3).map(hex).join(':')}::/48`;
}

/** Returns the IPv4 address inside an address such as `::ffff:192.0.2.1`, or null for any other address. */
export function mappedIPv4(address: string): string | null {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null;
}

const hex = (group: number): string => group.toString(16);

/** Returns the eight 16-bit groups of an IPv6 address without an IPv4 part. */
export function groupsOf(address: string): number[] {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
