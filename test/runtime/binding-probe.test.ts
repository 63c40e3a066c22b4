/** Whether an app wants the events of a binding: asked with OPTIONS, asked again, not asked (behaviour 8.2). */
import { describe, expect, test } from 'vitest';
import type { BindingNotice } from '../../core/ports/binding.ts';
import { Bell, belled } from '../support/bell.ts';
import { component } from '../support/listed-components.ts';
import { started } from '../support/runtime-stand.ts';

describe('whether the app wants events', () => {
  test.each([
    [200, true],
    [204, true],
    [405, true],
    [404, false],
    [500, false],
    ['reset', false],
  ] as const)('S02, S03: asked with OPTIONS, %j means %s', async (answer, listens) => {
    const bell = new Bell();
    const stand = await started({}, (it) => {
      it.components.components = [component('bell', 'bindings.bell')];
      it.components.own.set('bell', () => bell);
      it.app.next.push(answer);
    });
    expect(stand.app.calls).toMatchObject([{ method: 'OPTIONS', path: '/bell' }]);
    expect(bell.listening !== undefined).toBe(listens);
  });

  test('S04: is not asked if the component declares its direction', async () => {
    const { stand, bell } = await belled({ direction: 'input' });
    expect(stand.app.calls).toHaveLength(0);
    expect(bell.listening).toBeDefined();
  });

  test('a component with output only does not listen', async () => {
    const { bell } = await belled({ direction: 'output' });
    expect(bell.listening).toBeUndefined();
  });

  test('is asked again when the app comes back', async () => {
    const bell = new Bell();
    const stand = await started({}, (it) => {
      it.components.components = [component('bell', 'bindings.bell')];
      it.components.own.set('bell', () => bell);
      it.app.next.push(404);
    });
    expect(bell.listening).toBeUndefined();
    await stand.runtime.rediscovery.ask();
    await stand.settle();
    expect(bell.listening).toBeDefined();
  });

  test('S02, S03: an app that does not answer is asked again after 1, 2, 4 s; the binding hears of each step', async () => {
    const notices: BindingNotice[] = [];
    class Told extends Bell {
      notice(notice: BindingNotice): void {
        notices.push(notice);
      }
    }
    const bell = new Told();
    const stand = await started({}, (it) => {
      it.components.components = [component('bell', 'bindings.bell')];
      it.components.own.set('bell', () => bell);
      it.app.next.push('reset', 'reset', 'reset', 405);
    });
    for (const [ms, calls] of [
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [4000, 4],
    ] as const) {
      await stand.pass(ms);
      expect(stand.app.calls).toHaveLength(calls);
    }
    expect(bell.listening).toBeDefined();
    expect(notices.map(({ kind }) => kind)).toEqual([
      'probing',
      'no-answer',
      'probing',
      'no-answer',
      'probing',
      'no-answer',
      'probing',
      'subscribed',
    ]);
  });

  test('a component that was replaced while its app did not answer is forgotten', async () => {
    const bell = new Bell();
    const stand = await started({}, (it) => {
      it.components.components = [component('bell', 'bindings.bell')];
      it.components.own.set('bell', () => bell);
      it.app.next.push('reset');
    });
    const next = new Bell();
    stand.components.own.set('bell', () => next);
    stand.components.components = [component('bell', 'bindings.bell', { direction: 'input' })];
    await stand.runtime.resources.reload();
    await stand.pass(60_000);
    expect(bell.listening).toBeUndefined();
    expect(next.listening).toBeDefined();
    expect(stand.app.calls).toHaveLength(1);
  });
});
