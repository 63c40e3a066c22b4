/** How a method of the console is declared: what it does, what it takes, what it gives, and whether it changes anything. */
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
  /** The answer waits until everything that was done is on disk. */
  readonly settles: boolean;
}

/** Changes nothing. */
export function query<P extends TSchema, R extends TSchema>(parts: MethodDeclaration<P, R>): Declared<P, R> {
  return { ...parts, kind: 'query', settles: false };
}

/** Changes something that is kept: answered once the change is on disk. */
export function act<P extends TSchema, R extends TSchema>(parts: MethodDeclaration<P, R>): Declared<P, R> {
  return { ...parts, kind: 'act', settles: true };
}

/** Changes something that a restart forgets, or that is written by whoever was asked: answered at once. */
export function actAtOnce<P extends TSchema, R extends TSchema>(
  parts: MethodDeclaration<P, R>,
): Declared<P, R> {
  return { ...parts, kind: 'act', settles: false };
}
