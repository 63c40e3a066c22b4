/** The notification after a discovery; the first load has it, so the words of the Subscriptions screen are not imported here. */
import { fill } from '../copy/fill.ts';
import { HOLDS } from '../copy/holds.ts';

/** The result of a discovery that a person asked for, with the number of subscriptions that cannot be used. */
export function discoveredText(text: string, unused: number | undefined): string {
  return unused === undefined ? text : fill(HOLDS.discoveredUnusable, { text, n: unused });
}
