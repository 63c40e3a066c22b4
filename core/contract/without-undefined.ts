/** Makes objects without undefined members. */

/** T in which a member that may be undefined is optional instead. */
export type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/**
 * The members that are not undefined, in order, to be spread into an object. Readers check which members are
 * present, so a member without a value must be absent. Do not use it for objects made for each message: a
 * spread by hand is faster.
 */
export function withoutUndefined<const T extends object>(members: T): WithoutUndefined<T> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the filter leaves out what the type leaves out
  return Object.fromEntries(given) as WithoutUndefined<T>;
}
