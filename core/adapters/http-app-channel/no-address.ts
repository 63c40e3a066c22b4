/** The channel of an app without an address: it only publishes, so every call to it fails with that reason. */
import type { AppChannel } from '../../ports/app-channel.ts';
import { noAnswer } from './no-answer.ts';

const WHY = 'The app has no address (--app-url), so nothing can be delivered to it.';

export function createNoAddressChannel(): AppChannel {
  const answer = Promise.resolve(noAnswer('refused', WHY));
  return {
    url: '',
    deliver: () => ({ answer, cancel: () => undefined }),
    get: () => answer,
    probe: async () => false,
    close: async () => undefined,
  };
}
