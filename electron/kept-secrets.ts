// The desktop's key store for the host: it answers only once the app is ready.
import path from 'node:path';
import { app } from 'electron';
import { createSecretStore } from './secrets.ts';
import type { SecretStore } from './secrets.ts';

/**
 * The secrets of this user on this machine.
 * @param report receives one sentence when a stored secret cannot be read
 */
export function keptSecrets(ready: Promise<unknown>, report: (text: string) => void): SecretStore {
  const file = path.join(app.getPath('userData'), 'secrets.json');
  const store = createSecretStore({ file, platform: process.platform, report: report });
  return {
    get: (name) => ready.then(() => store.get(name)),
    set: (name, value) => ready.then(() => store.set(name, value)),
  };
}
