/** Host of a server's address, from the one at which it listens. A server on every address is reachable at the loopback address. */
export function reachableHost(listened: string): string {
  if (listened === '0.0.0.0') return '127.0.0.1';
  if (listened === '::') return '[::1]';
  return listened.includes(':') ? `[${listened}]` : listened;
}
