/** A command line that cannot be used. */

/** A bad flag or value: one line on stderr, exit status 2, nothing started. */
export class UsageError extends Error {}
