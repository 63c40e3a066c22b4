/** Whether a host names this machine by the loopback interface. */

/** Whether an IP address, in brackets or without, is one of the loopback interface: `::1`, or any in 127.0.0.0/8. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(address);
}

/** Whether a host is a loopback address or a name of this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLocalName(host) || isLoopbackAddress(host);
}

/** Whether a name is `localhost` or a name below it, which resolvers keep for this machine. */
export function isLocalName(name: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(name);
}
