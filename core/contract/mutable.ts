/** An object whose members are set one by one while it is made, and which is readonly afterwards. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
