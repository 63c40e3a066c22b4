/** Checksums of messages. SQLite has none for content, so a flipped bit would be delivered unnoticed. */
import { crc32 } from 'node:zlib';

import type { Wire } from '../../domain/codec.ts';

/** CRC-32 over the row's JSON and the wire. */
export function checksumOf(row: string, wire: Wire): number {
  return crc32(wire, crc32(row));
}

/** Names what a batch has in common: another answer under the same id is another one. */
export function batchKey(attemptId: string, request: string, response: string): string {
  return `${attemptId}.${crc32(response, crc32(request)).toString(16)}`;
}
