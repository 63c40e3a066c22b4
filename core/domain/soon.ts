/**
 * A value that nearly always is known now, and else later, so that no promise is made when there is nothing
 * to wait for.
 */

export type Soon<T> = T | Promise<T>;

/** Passes the value to `next`, at once if it is known. */
export function after<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
