/** The timer binding and the registry that makes components by type. */
import { describe, expect, test } from 'vitest';

import { createCronBinding, intervalOf } from '../../core/adapters/bindings/cron.ts';
import { createRegistry, settingOf } from '../../core/adapters/registry.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { BindingEvent } from '../../core/ports/binding.ts';
import type { Log } from '../../core/ports/log.ts';
import type { OutboundMessage } from '../../core/ports/pubsub.ts';

const SILENT: Log = { write: () => undefined };

describe('bindings.cron', () => {
  test.each([
    ['@every 5s', 5000],
    [' @every  1m30s ', 90_000],
    ['@every 100ms', 100],
    ['@every 99ms', undefined],
    ['@every 9999h', undefined],
    ['@every 0s', undefined],
    ['@every -5s', undefined],
    ['@every', undefined],
    ['@every 5', undefined],
    ['5s', undefined],
    ['* * * * *', undefined],
    ['', undefined],
  ])('the interval of schedule "%s" is %j ms', (schedule, ms) => {
    expect(intervalOf(schedule)).toBe(ms);
  });

  test.each(['', 'sometimes'])('schedule "%s" does not start', async (schedule) => {
    const binding = createCronBinding({ schedule, clock: systemClock(), log: SILENT });
    await expect(binding.start()).rejects.toThrow(/metadata schedule.*@every 5s/);
  });

  test('brings events, leaves one out while the app is busy, ends with its listener', async () => {
    let due: (() => void)[] = [];
    const clock = {
      ...systemClock(),
      at: (_dueMs: number, run: () => void) => {
        due.push(run);
        return () => (due = due.filter((one) => one !== run));
      },
    };
    const tick = (): void => {
      for (const run of due.splice(0)) run();
    };
    const lines: string[] = [];
    const log: Log = { write: (level, _part, text) => void lines.push(`${level}: ${text}`) };
    const binding = createCronBinding({ schedule: '@every 5s', clock, log });
    await binding.start();
    const events: BindingEvent[] = [];
    let accept: (accepted: { accepted: boolean; status?: number }) => void = () => undefined;
    await binding.listen?.(async (event) => {
      events.push(event);
      return new Promise((resolve) => (accept = resolve));
    });
    tick();
    tick();
    expect(events).toHaveLength(1);
    expect(events[0]).toEqual({ data: '', metadata: { readTimeUTC: expect.any(String), timeZone: 'UTC' } });
    accept({ accepted: false, status: 500 });
    await new Promise((resolve) => setImmediate(resolve));
    tick();
    expect(events).toHaveLength(2);
    accept({ accepted: true });
    await binding.close();
    expect(due).toEqual([]);
    expect(lines).toEqual([
      'warn: The app is still busy with the last event. The timer skips this one.',
      'warn: The app did not accept the event: 500',
    ]);
    expect(binding.operations).toEqual([]);
    await expect(binding.invoke('create', 'null', {})).rejects.toThrow(/no operations/);
  });
});

describe('the registry', () => {
  const registry = createRegistry({
    clock: systemClock(),
    log: SILENT,
    profile: PROFILES.sidecar,
    env: { A: 'x' },
    folders: [],
  });

  test('every type is created in any letter case, and an unknown one is undefined', () => {
    expect(registry.types).toEqual([
      'bindings.cron',
      'bindings.http',
      'pubsub.in-memory',
      'pubsub.jetstream',
      'pubsub.redis',
      'secretstores.local.env',
      'secretstores.local.file',
    ]);
    const kinds = { bindings: 'binding', pubsub: 'pubsub', secretstores: 'secretstore' };
    for (const type of registry.types)
      expect(kinds).toMatchObject({
        [type.split('.')[0] ?? '']: registry.build({ name: 'n', type, metadata: {} })?.kind,
      });
    expect(registry.build({ name: 'n', type: 'PubSub.In-Memory', metadata: {} })?.kind).toBe('pubsub');
    for (const type of ['pubsub.kafka', 'toString', '__proto__']) {
      expect(registry.build({ name: 'n', type, metadata: {} })).toBeUndefined();
    }
  });

  test('in-memory components of one name share a broker, of two names they do not', async () => {
    const made = ['one', 'one', 'two'].map((name) => {
      const built = registry.build({ name, type: 'pubsub.in-memory', metadata: {} });
      if (built?.kind !== 'pubsub') throw new Error('not a pub/sub');
      return built.pubsub;
    });
    const taken: number[] = [];
    for (const [index, pubsub] of made.entries()) {
      await pubsub.subscribe('t', { group: 'g', metadata: {} }, async () => {
        taken.push(index);
        return 'done';
      });
    }
    const message: OutboundMessage = { messageId: 'm', topic: 't', wire: 'x', contentType: '', metadata: {} };
    await made[0]?.publish(message);
    await made[0]?.publish(message);
    expect(taken).toEqual([0, 1]);
  });

  test('settings are found in any letter case', () => {
    expect(settingOf({ SecretsFile: 'x' }, 'secretsFile')).toBe('x');
    expect(settingOf({}, 'secretsFile')).toBe('');
  });
});
