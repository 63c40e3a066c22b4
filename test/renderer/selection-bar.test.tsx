/** Which acts the bar of a selection offers as buttons, and which stand in its menu with the reason. */
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { ActSubject } from '../../renderer/format/act-targets.ts';
import { offeredActs } from '../../renderer/views/messages/SelectionBar.tsx';
import { deliveryIn, rowNamed } from './samples.ts';

const inState = (...states: readonly DeliveryState[]): ActSubject => ({
  row: rowNamed('msg_1', { deliveries: states.map((state) => deliveryIn(state)) }),
});

test('acts that apply to none of the messages are no buttons, and say why', () => {
  const { buttons, others } = offeredActs(
    [inState('parked'), inState('parked', 'processed'), inState('processed')],
    false,
  );
  expect(buttons.map(({ act, n }) => `${act} ${n}`)).toEqual(['retry 2', 'drop 2', 'deadLetter 2']);
  expect(others.map(({ act, off }) => [act, off])).toEqual([
    ['release', 'Release: none of the selected messages allows it now.'],
    ['hold', 'Hold: none of the selected messages allows it now.'],
  ]);
});

test('all acts are offered while a part of the selection is not loaded', () => {
  const { buttons, others } = offeredActs([inState('processed')], true);
  expect(buttons.map(({ act }) => act)).toEqual(['retry', 'release', 'drop', 'deadLetter', 'hold']);
  expect(others).toEqual([]);
});
