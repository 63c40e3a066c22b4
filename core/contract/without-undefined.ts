/** Objects in which members without a value are left out. */

/** T, where a member that may be undefined is optional instead. */
export type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/**
 * The members that are not undefined, in their order. To be spread where an object is made: readers ask which members there are, so a
 * member without a value must not be there. Not for what is made for each message: it costs more than a spread by hand.
 */
export function withoutUndefined<const T extends object>(members: T): WithoutUndefined<T> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the filter leaves out what the type leaves out
  return Object.fromEntries(given) as WithoutUndefined<T>;
}
