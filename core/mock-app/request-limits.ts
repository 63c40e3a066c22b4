/** Limits of one request to a mock app, over HTTP and gRPC. */
import { sizeLimit } from '../contract/size-text.ts';
import { isObject } from '../domain/json.ts';
import type { PieceSize } from './body-scan.ts';

/** Largest body, above any batch that a sidecar of this program sends. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Largest body that anybody else may send. */
const MAX_FOREIGN_BYTES = 64 * 1024 * 1024;
/** Bodies up to this length are not looked through: what they become is little more than what counts for each request. */
export const SMALL_BYTES = 1024;
/**
 * Most that anybody but a sidecar of this program may send in one piece, because nothing else runs while a piece is read. The settings of
 * the sidecar say how large its events are.
 */
export const MAX_PIECE: PieceSize = { bytes: 32 * 1024 * 1024, values: 1_000_000, names: 100_000 };
/** Most entries of a batch from anybody else: the rules are applied to all of them at once. */
const MAX_FOREIGN_ENTRIES = 20_000;

/** Largest body of a request. */
export function mostBytes(isOwn: boolean): number {
  return isOwn ? MAX_BODY_BYTES : MAX_FOREIGN_BYTES;
}

/** Why a body is refused that is larger than this. */
export function tooLarge(most: number): string {
  return `the body has more than ${sizeLimit(most)}`;
}

/**
 * Why a piece may not be read at once; undefined: it may.
 * @param of what it is a piece of; over gRPC the whole request is one
 */
export function tooMuchAtOnce(
  { bytes, values, names }: PieceSize,
  of: 'body' | 'request' = 'body',
): string | undefined {
  const inOnePiece = of === 'body' ? ' in one piece' : '';
  if (bytes > MAX_PIECE.bytes) return `the ${of} has more than ${sizeLimit(MAX_PIECE.bytes)}${inOnePiece}`;
  if (values > MAX_PIECE.values)
    return `the ${of} has more than ${count(MAX_PIECE.values)} values${inOnePiece}`;
  if (names > MAX_PIECE.names)
    return `the ${of} has more than ${count(MAX_PIECE.names)} names of members${inOnePiece}`;
  return undefined;
}

/** Why a batch of anybody else is refused; undefined: it is not. */
export function tooManyEntries(value: unknown): string | undefined {
  const entries = isObject(value) ? value['entries'] : undefined;
  if (!Array.isArray(entries) || entries.length <= MAX_FOREIGN_ENTRIES) return undefined;
  return `the body has more than ${count(MAX_FOREIGN_ENTRIES)} entries`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
