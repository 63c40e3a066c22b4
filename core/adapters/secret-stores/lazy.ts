/** A secret store that is opened when the first secret is asked for. */
import type { Secrets } from '../../ports/secrets.ts';

/** @param open is called once; what it rejects with, every `get` rejects with */
export function openOnFirstUse(open: () => Promise<Secrets>): Secrets {
  let opened: Promise<Secrets> | undefined;
  return {
    async get(name, key) {
      opened ??= open();
      return (await opened).get(name, key);
    },
  };
}
