// The desktop's key store as the host takes it: it answers only once the app is ready.
import path from 'node:path';
import { app } from 'electron';
import { createSecretStore } from './secrets.ts';
import type { SecretStore } from './secrets.ts';

/** The secrets that this user keeps on this machine. @param tell gets one sentence when something kept cannot be read */
export function keptSecrets(ready: Promise<unknown>, tell: (text: string) => void): SecretStore {
  const file = path.join(app.getPath('userData'), 'secrets.json');
  const store = createSecretStore({ file, platform: process.platform, tell });
  return {
    get: (name) => ready.then(() => store.get(name)),
    set: (name, value) => ready.then(() => store.set(name, value)),
  };
}
