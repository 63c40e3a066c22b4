// A port that a second product can have again after the first one ended, as the value of a flag.
import { freePort } from '../support/free-port.ts';

export async function steadyPort(): Promise<string> {
  return String(await freePort());
}
