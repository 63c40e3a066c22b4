// A port that a second product can use after the first one has ended, as the value of a flag.
import { freePort } from '../support/free-port.ts';

export async function reusablePort(): Promise<string> {
  return String(await freePort());
}
