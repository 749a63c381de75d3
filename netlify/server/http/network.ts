/**
 * Returns the network of an IP address, for rate limits. That is the IPv4 address itself, or the /64 of an IPv6
 * address, because one customer owns a whole /64 (docs/product.md#rate-limits).
 */
export function networkOf(address: string): string {
  const mapped = mappedIPv4(address);
  if (mapped !== null) return mapped;
  if (!address.includes(':')) return address;
  return `${groupsOf(address).slice(0, 4).map(hex).join(':')}::/64`;
}

/** Returns the /48 of an IPv6 address, because one customer may own a whole /48; null for an IPv4 address. */
export function wideNetworkOf(address: string): string | null {
  if (!address.includes(':') || mappedIPv4(address) !== null) return null;
  return `${groupsOf(address).slice(0, 3).map(hex).join(':')}::/48`;
}

/** Returns the IPv4 address inside an IP address such as `::ffff:192.0.2.1`; null for any other IP address. */
function mappedIPv4(address: string): string | null {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null;
}

const hex = (group: number): string => group.toString(16);

/** Returns the eight 16-bit groups of an IPv6 address that does not contain an IPv4 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
