/** An example component whose port another process takes first: it gets the next one. */
import { expect, test } from 'vitest';

import { PROFILES } from '../../core/contract/profile.ts';
import { createEvent } from '../../core/event-router/console/create.ts';

type Given = Parameters<typeof createEvent>;

test('the second instance uses the next port', async () => {
  const saved: string[] = [];
  const portOf = (text: string): number => Number(/handshakePort, value: "(\d+)"/.exec(text)?.[1]);
  const steps = {
    get state() {
      return 'listening';
    },
    list: () => [
      saved.length === 1
        ? { step: 'listening', result: 'retrying', attempts: 1, code: 'EVR-NET-01' }
        : { step: 'listening', result: 'done', attempts: 1 },
    ],
  };
  const parts = {
    profile: PROFILES.sidecar,
    settings: () => ({}),
    components: () => [],
    ids: { uuid: () => '00000000-0000-4000-8000-000000000000' },
    source: {
      save: (_file: string, text: string) => {
        saved.push(text);
        return Promise.resolve([]);
      },
    },
    reload: () => Promise.resolve(),
  } as unknown as Given[0];
  const finding = {
    router: () =>
      Promise.resolve({
        ingress: { status: () => ({ listening: true }) },
        addresses: () => ({ router: 'https://localhost:1', ingress: 'https://localhost:2' }),
      }),
    input: () => ({ input: { steps } }),
  } as unknown as Given[1];

  expect(await createEvent(parts, finding, {})).toMatchObject({ component: 'example' });
  const [first = '', second = ''] = saved;
  expect(saved).toHaveLength(2);
  expect(portOf(second)).toBeGreaterThan(portOf(first));
});
