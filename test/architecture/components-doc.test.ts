/** docs/components.md has every component type, and every setting that the code reads. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRegistry } from '../../core/adapters/registry.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const doc = read('docs/components.md');

test('docs/components.md has a section for each type', () => {
  const { types } = createRegistry({
    clock: systemClock(),
    log: { write: () => undefined },
    profile: PROFILES.sidecar,
    env: {},
    folders: [],
  });
  expect(types.length).toBeGreaterThan(4);
  for (const type of types.filter((one) => !one.endsWith('.eventrouter')))
    expect(doc).toContain(`\n## ${type}\n`);
});

test('docs/components.md names every setting that is read', () => {
  const files = [
    'core/adapters/registry.ts',
    'core/adapters/redis-streams/settings.ts',
    'core/domain/access.ts',
    'core/runtime/bindings.ts',
  ];
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/(?:\bsetting\(|Of\(setting, |\bvalue\(|metadata\[)'([a-zA-Z]\w+)'/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  expect(new Set(names).size).toBeGreaterThan(20);
  for (const name of new Set(names)) expect(doc).toContain(`\`${name}\``);
});
