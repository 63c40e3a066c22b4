/** Error for a command line that cannot be used. */
import { maskAddress } from './secret-values.ts';

/** A bad flag or value: it is printed as one line on stderr, the exit status is 2, and nothing is started. No address in it shows its user. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(maskAddress(message), options);
  }
}
