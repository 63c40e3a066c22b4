/** Error for a command line that cannot be used. */

/** A bad flag or value: it is printed as one line on stderr, the exit status is 2, and nothing is started. */
export class UsageError extends Error {}
