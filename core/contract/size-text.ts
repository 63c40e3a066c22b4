/** Sizes and limits in bytes as text. */
import { counted } from './count-text.ts';

const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];
const MIB = 1024 ** 2;
/** Smallest number that is too long to be read at a glance. */
const LONG_NUMBER = 10_000;

/**
 * A limit as text: `4 MiB` if that is exact, `about 410 MiB` for an odd number from 10 MiB on, else `1,000
 * bytes`.
 */
export function sizeLimit(bytes: number): string {
  const exact = UNITS.find(([, unit]) => bytes >= unit && bytes % unit === 0);
  if (exact !== undefined) {
    const [name, unit] = exact;
    if (bytes / unit < LONG_NUMBER) return `${bytes / unit} ${name}`;
  }
  return bytes < 10 * MIB ? byteCount(bytes) : `about ${Math.floor(bytes / MIB)} MiB`;
}

/** A number of bytes as text: `4,194,305 bytes`. */
export function byteCount(bytes: number): string {
  return counted(bytes, 'byte');
}
