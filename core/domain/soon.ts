/** What is known now in nearly all cases, and else later: nothing waits for a promise that has nothing to wait for. */

export type Soon<T> = T | Promise<T>;

/** Gives the value to `next`, now if it is known now. */
export function after<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
