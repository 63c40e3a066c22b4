/** Conversions of the standard rule language that the library lacks. */
import type { Environment } from '@marcbachmann/cel-js';

const NANOS = 1_000_000_000n;

/** A span of time as the library represents it. */
interface Span {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Adds the conversions of moments and spans to an environment, and returns it. */
export function addConversions(environment: Environment): Environment {
  return environment
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
