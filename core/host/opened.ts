/** What a start has opened so far, so that a start that fails leaves nothing open. */
import { errorText } from '../contract/error-text.ts';

/** Functions that close what was opened, in the order of opening. */
export type Opened = (() => Promise<void>)[];

/**
 * Closes everything, the last opened first. A part that cannot be closed keeps no other one open.
 * @param failed gets the reason for each part that could not be closed
 */
export async function closeInReverse(opened: Opened, failed: (reason: string) => void): Promise<void> {
  for (const close of opened.toReversed()) {
    try {
      await close();
    } catch (error) {
      failed(errorText(error));
    }
  }
}
