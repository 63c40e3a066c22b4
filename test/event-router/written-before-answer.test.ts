/** Acts on the embedded router are on disk before they are answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { writtenBeforeAnswer } from '../../core/event-router/console/written-before-answer.ts';
import { METHODS } from '../../core/contract/console.ts';
import { RouterStore } from '../../core/local-router/store/store.ts';
import type { EventRouterMethods } from '../../core/ports/event-router.ts';
import { fakeEventRouter } from '../support/fake-event-router.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('every method of the console writes before it answers', async () => {
  const steps: string[] = [];
  const names = Object.keys(METHODS).flatMap((method) => (method.startsWith('eventRouter.') ? [method] : []));
  const fake: Record<string, unknown> = { ...fakeEventRouter() };
  for (const name of names) {
    fake[name] = async () => {
      steps.push(name);
      return {};
    };
  }
  const methods = writtenBeforeAnswer(
    fake as unknown as EventRouterMethods,
    () => void steps.push('written'),
  ) as unknown as Record<string, (params: unknown) => Promise<unknown>>;
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    steps.length = 0;
    await methods[name]?.({}).then(() => steps.push('answered'));
    expect(steps).toEqual([name, 'written', 'answered']);
  }
});

test('noted changes are on disk when `written` returns', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidelight-kept-'));
  const store = new RouterStore(folder, new ManualClock());
  const other = new DatabaseSync(path.join(folder, 'router.db'), { readOnly: true });
  onTestFinished(() => {
    other.close();
    store.close();
    rmSync(folder, { recursive: true });
  });
  const kept = (): unknown[] => other.prepare("SELECT key FROM things WHERE kind = 'a'").all();
  store.keep('a', 'b', { n: 1 });
  expect(kept()).toEqual([]);
  store.written();
  expect(kept()).toEqual([{ key: 'b' }]);
});
