/** Bounds of the answer rules of a mock app, without the schemas, which a start does not load. */

/** Most rules of one mock app, and of a set of them. */
export const MAX_RULES = 500;
