/** "Send sample traffic": what it adds, publishes, and takes away again. */
import type { Samples } from '../console/methods/parts.ts';

export function createSamples(_parts: unknown): Samples {
  return {
    add: () => Promise.resolve({ added: [], messageIds: [] }),
    remove: () => Promise.resolve({ removed: [] }),
  };
}
