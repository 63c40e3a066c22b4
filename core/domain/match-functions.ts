/** Conversions and operators of the standard rule language that the library lacks. */
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { childrenOf } from './match-rewrite.ts';

const NANOS = 1_000_000_000n;

/** A span of time as the library represents it. */
interface Span {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Adds the conversions of moments and spans and the order of bytes to an environment, and returns it. */
export function addStandard(environment: Environment): Environment {
  return environment
    .registerOperator('bytes < bytes', (left: Uint8Array, right: Uint8Array) => ordered(left, right) < 0)
    .registerOperator('bytes <= bytes', (left: Uint8Array, right: Uint8Array) => ordered(left, right) <= 0)
    .registerOperator('bytes > bytes', (left: Uint8Array, right: Uint8Array) => ordered(left, right) > 0)
    .registerOperator('bytes >= bytes', (left: Uint8Array, right: Uint8Array) => ordered(left, right) >= 0)
    .registerFunction('int(google.protobuf.Timestamp): int', (moment: Date) =>
      BigInt(Math.floor(moment.getTime() / 1000)),
    )
    .registerFunction('string(google.protobuf.Timestamp): string', momentText)
    .registerFunction('string(google.protobuf.Duration): string', spanText);
}

/** A moment without zeros at the end of its fraction, as the reference writes it. */
function momentText(moment: Date): string {
  const [whole = '', fraction = ''] = moment.toISOString().slice(0, -1).split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${whole}${digits === '' ? '' : `.${digits}`}Z`;
}

/** A span in seconds, without an exponent and without zeros at its end: `90s`, `0.000001s`. */
function spanText({ seconds, nanos }: Span): string {
  const all = seconds * NANOS + BigInt(nanos);
  const size = all < 0n ? -all : all;
  const fraction = `${size % NANOS}`.padStart(9, '0').replace(/0+$/, '');
  return `${all < 0n ? '-' : ''}${size / NANOS}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Below 0: the left bytes come first. Of two that begin alike the shorter ones do. */
function ordered(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A type as the library represents it. */
interface KnownType {
  readonly kind: string;
  readonly name: string;
}

/** A sum as the library checks it: its parts have their types afterwards. */
interface CheckedSum {
  readonly args: readonly { readonly checkedType?: KnownType }[];
  check(...given: readonly unknown[]): unknown;
}

/** Has the sum of a span and a moment checked as a moment, which the library takes for a span. */
export function withMomentSums(node: ASTNode): void {
  for (const child of childrenOf(node)) withMomentSums(child);
  if (node.op !== '+') return;
  // The library's declarations leave out this method, by which it checks each node.
  const sum = node as unknown as CheckedSum;
  const check = sum.check.bind(sum);
  sum.check = (...given) => {
    const found = check(...given);
    const [left, right] = sum.args.map(({ checkedType }) => checkedType);
    const isSpan = left?.name === SPAN;
    // With a part whose type is not known, what the sum is is not known either.
    if (right?.name === MOMENT || (isSpan && right?.kind === 'dyn')) return right;
    return found;
  };
}

const SPAN = 'google.protobuf.Duration';
const MOMENT = 'google.protobuf.Timestamp';
