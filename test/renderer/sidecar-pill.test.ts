/** The pill about the sidecars: one that only waits for its app is no alarm of its own. */
import { expect, test } from 'vitest';
import { sidecarPill } from '../../renderer/frame/TopBar.tsx';

const well = { healthy: true, waits: false };
const waiting = { healthy: false, waits: true };
const sick = { healthy: false, waits: false };

test.each([
  [[well], 'good', 'Sidecar healthy'],
  [[waiting], 'waits', 'Sidecar waits for app'],
  [[sick], 'bad', 'Sidecar not healthy'],
  [[well, waiting], 'waits', 'Sidecar of app b waits for it'],
  [[waiting, waiting], 'waits', '2 sidecars wait for their apps'],
  [[waiting, sick], 'bad', 'Sidecar of app b not healthy'],
  [[sick, sick, waiting], 'bad', '2 sidecars not healthy'],
])('%j is %s: %s', (apps, state, text) => {
  const named = apps.map((app, index) => ({ appId: 'abc'.charAt(index), ...app }));
  expect(sidecarPill(named)).toMatchObject({ state, text });
});
