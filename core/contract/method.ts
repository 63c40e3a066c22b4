/**
 * Declaration of a console method: what it does, its parameters, its result, and whether it changes anything.
 */
import type { TSchema } from './schema.ts';

export interface MethodDeclaration<P extends TSchema, R extends TSchema> {
  /** One phrase for the table in docs/automation.md. */
  readonly does: string;
  readonly params: P;
  readonly result: R;
}

export interface Declared<P extends TSchema = TSchema, R extends TSchema = TSchema> extends MethodDeclaration<
  P,
  R
> {
  readonly kind: 'query' | 'act';
  /** Whether the answer waits until every change so far is on disk. */
  readonly settles: boolean;
}

/** Declares a method that changes nothing. */
export function query<P extends TSchema, R extends TSchema>(parts: MethodDeclaration<P, R>): Declared<P, R> {
  return { ...parts, kind: 'query', settles: false };
}

/** Declares a method whose change is kept. The answer waits until the change is on disk. */
export function act<P extends TSchema, R extends TSchema>(parts: MethodDeclaration<P, R>): Declared<P, R> {
  return { ...parts, kind: 'act', settles: true };
}

/**
 * Declares a method whose change a restart forgets, or is written by the service that was asked. The answer
 * does not wait for the disk.
 */
export function actAtOnce<P extends TSchema, R extends TSchema>(
  parts: MethodDeclaration<P, R>,
): Declared<P, R> {
  return { ...parts, kind: 'act', settles: false };
}
