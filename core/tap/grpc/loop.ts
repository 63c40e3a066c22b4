/**
 * Detects taps whose --sidecar-grpc addresses lead to each other, so that every connection goes round for ever. Each tap sends the next one
 * the number of taps that a connection has passed, in a setting of HTTP/2 that other programs ignore; above a limit, all of them learn that
 * it is a loop.
 */
import { constants } from 'node:http2';
import type { Http2Session, Settings } from 'node:http2';

/** Number of the setting, which no standard gives to another one. */
const PASSED = 0xf5_1d;
/** Taps that a connection passes before it counts as one that comes back. */
const MAX_PASSED = 8;
/** Value with which a tap tells the one before it that connections come back. */
const LOOP = 0xff_ff_ff_ff;
/** Time that a client has to leave after it was notified. */
const LINGER_MS = 1_000;

/** Options of a session whose other end may be a tap. */
export const READS_PASSED = { remoteCustomSettings: [PASSED] };

/**
 * Setting for the real side, which may be a tap.
 * @param passed taps, this one included
 */
export function passedSetting(passed: number): Settings {
  return { customSettings: { [PASSED]: passed } };
}

/** Taps that a connection of this client has passed; 0: the client is no tap. */
export function passedBefore({ customSettings = {} }: Settings): number {
  return customSettings[PASSED] ?? 0;
}

export function isLoop(passed: number): boolean {
  return passed >= MAX_PASSED;
}

/** Ends a session with a client, once it has read that what it calls comes back. */
export function signalLoop(client: Http2Session): void {
  if (client.destroyed) return;
  const end = (): void => client.destroy(undefined, constants.NGHTTP2_INTERNAL_ERROR);
  client.settings(passedSetting(LOOP), end);
  setTimeout(end, LINGER_MS).unref();
}
