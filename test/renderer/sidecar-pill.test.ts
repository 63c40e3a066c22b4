/** The pill about the sidecars: one that only waits for its app is no alarm of its own. */
import { expect, test } from 'vitest';
import { sidecarPill } from '../../renderer/frame/TopBar.tsx';

const well = { healthy: true, waits: false };
const waiting = { healthy: false, waits: true };
const sick = { healthy: false, waits: false };

test('components that have lost their server are said, unless a sidecar itself is not healthy', () => {
  const one = { appId: 'a', ...well };
  expect(sidecarPill([one], 1)).toMatchObject({ state: 'away', text: '1 component away' });
  expect(sidecarPill([{ ...one, ...waiting }], 2)).toMatchObject({
    state: 'away',
    text: '2 components away',
  });
  expect(sidecarPill([{ ...one, ...sick }], 1)).toMatchObject({ state: 'bad' });
});

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
