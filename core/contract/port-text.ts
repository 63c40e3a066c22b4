/** Why nothing can listen on a port of this machine, in words. */

/** First port that every user may listen on, unless the system is set otherwise. */
const FIRST_OPEN = 1024;

/** Refusals of the system for a port: another program has it, or this user may not have it. */
export type PortRefusal = 'EADDRINUSE' | 'EACCES';

/** Whether a code of the system refuses a port. */
export function isPortRefusal(code: unknown): code is PortRefusal {
  return code === 'EADDRINUSE' || code === 'EACCES';
}

/**
 * The reason as a part of a sentence.
 * @param owner program on the port, such as "node, pid 123"; undefined: it is not known
 */
export function whyNoPort(refusal: PortRefusal, port: number, owner?: string): string {
  if (refusal === 'EADDRINUSE') return `port ${port} is in use${owner === undefined ? '' : ` by ${owner}`}`;
  return port < FIRST_OPEN
    ? `port ${port} needs more rights than this user has, like every port below ${FIRST_OPEN}`
    : `the system keeps port ${port} for itself`;
}

/** Why no port of a range can be used. */
export function noFreePort(first: number, last: number): string {
  return `no port from ${first} to ${last} is free`;
}
