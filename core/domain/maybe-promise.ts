/**
 * A value that nearly always is known now, and else later, so that no promise is made when there is nothing
 * to wait for.
 */

export type MaybePromise<T> = T | Promise<T>;

/** Passes the value to `next`, at once if it is known. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
